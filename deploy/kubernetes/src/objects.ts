import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

/** An object of the Kubernetes API. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  // Further fields depend on the kind.
  readonly spec?: { readonly template?: PodTemplateSpec } & Readonly<Record<string, unknown>>;
}

/** The pod templates of workloads, with the name and kind of the workload. */
export function podsOf(objects: readonly KubernetesObject[]) {
  return objects.flatMap(({ kind, metadata, spec }) =>
    spec?.template?.spec
      ? [
          {
            name: metadata.name!,
            kind,
            labels: spec.template.metadata?.labels ?? {},
            spec: spec.template.spec,
          },
        ]
      : [],
  );
}
