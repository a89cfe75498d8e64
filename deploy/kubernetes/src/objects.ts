import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { Pod } from './pod-security/restricted.ts';

/** An object as it is sent to Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  // What there is of these depends on the kind.
  readonly spec?: { readonly template?: PodTemplateSpec } & Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
}

/** The pods that workloads make, with the name of the workload. */
export function podsOf(objects: readonly KubernetesObject[]): { name: string; pod: Pod }[] {
  return objects.flatMap(({ metadata, spec }) =>
    spec?.template?.spec ? [{ name: metadata.name!, pod: spec.template as Pod }] : [],
  );
}
