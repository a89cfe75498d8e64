import type { Container, PodSpec, Volume } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject } from '../objects.ts';

/** A pod as podman is given it, with an address of its own. */
export interface PlacedPod {
  readonly name: string;
  /** The name of its workload. */
  readonly workload: string;
  readonly address: string;
  /** Those of one kind are started together, in this order: what keeps data, what prepares it, what uses it. */
  readonly kind: 'StatefulSet' | 'Job' | 'Deployment';
  readonly spec: PodSpec;
  /** The files of its volumes that are folders of this machine, by path and in base64. */
  readonly files: Readonly<Record<string, string>>;
  /** What `podman kube play` reads: the pod, and what it mounts. */
  readonly objects: readonly object[];
}

/** The first three parts of every address. */
const SUBNET = '10.89.0';
/** Where the folders of this machine are that pods mount. */
export const FOLDERS = '/shared/volumes';
export const NETWORK = { name: 'cluster', subnet: `${SUBNET}.0/24` } as const;

/**
 * Makes pods of the workloads of an overlay, as controllers would: one of each deployment and job, and as many of a stateful set as it
 * has members.
 *
 * What podman leaves to the cluster is done here:
 *
 * - Names of services become lines of `/etc/hosts`.
 * - `fsGroup`, which gives the group of files to the pod, becomes a supplemental group, as podman's files belong to root.
 * - Volumes are claimed from templates.
 * - A Secret whose files have folders is a folder of this machine, as podman makes none in its volumes.
 * - An empty folder is never kept in memory, as podman's containers do not share that.
 *
 * @param others further hosts that pods know, by name
 */
export function podsOf(
  objects: readonly KubernetesObject[],
  others: Readonly<Record<string, string>>,
): PlacedPod[] {
  const workloads = objects.filter(({ spec }) => spec?.template?.spec);
  const members = workloads.flatMap(({ kind, metadata, spec }) =>
    Array.from({ length: kind === 'StatefulSet' ? Number(spec!.replicas) : 1 }, (_, ordinal) => ({
      kind,
      workload: metadata.name!,
      name: kind === 'StatefulSet' ? `${metadata.name}-${ordinal}` : metadata.name!,
      spec: spec!,
    })),
  );
  const addressed = members.map((member, index) => ({ ...member, address: `${SUBNET}.${index + 10}` }));
  const hosts = [...Object.entries(others), ...addressed.flatMap(namesOf)];
  const hostAliases = hosts.map(([hostname, ip]) => ({ ip, hostnames: [hostname] }));
  return addressed.map(({ kind, workload, name, address, spec }) => {
    const template = spec.template!;
    const claims = (spec.volumeClaimTemplates ?? []) as { metadata: { name: string }; spec: object }[];
    const podSpec: PodSpec = {
      ...template.spec!,
      hostAliases,
      securityContext: { ...template.spec!.securityContext, supplementalGroups: [0] },
      volumes: [
        ...(template.spec!.volumes ?? []).map(asPodmanTakesIt),
        ...claims.map(({ metadata }) => ({
          name: metadata.name,
          persistentVolumeClaim: { claimName: `${metadata.name}-${name}` },
        })),
      ],
    };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...template.metadata, name }, spec: podSpec };
    const made = claims.map((claim) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: `${claim.metadata.name}-${name}` },
      spec: claim.spec,
    }));
    const files = (template.spec!.volumes ?? []).filter(hasFolders).flatMap(({ secret }) => {
      const { data } = objects.find(
        (object) => object.kind === 'Secret' && object.metadata.name === secret!.secretName,
      )!;
      return secret!.items!.map(({ key, path }) => [`${secret!.secretName}/${path}`, data![key]!] as const);
    });
    const mounted = objects.filter((object) => isMounted(object, podSpec));
    return {
      name,
      workload,
      address,
      kind: kind as PlacedPod['kind'],
      spec: podSpec,
      files: Object.fromEntries(files),
      objects: [...mounted, ...made, pod],
    };
  });
}

function asPodmanTakesIt(volume: Volume): Volume {
  const { name, emptyDir, secret } = volume;
  if (emptyDir !== undefined) return { name, emptyDir: {} };
  if (!hasFolders(volume)) return volume;
  return { name, hostPath: { path: `${FOLDERS}/${secret!.secretName}`, type: 'Directory' } };
}

function hasFolders({ secret }: Volume): boolean {
  return secret?.items?.some(({ path }) => path.includes('/')) ?? false;
}

/** By which names a pod is found: those of the services that lead to it. */
function namesOf({
  kind,
  workload,
  name,
  spec,
  address,
}: {
  kind: string;
  workload: string;
  name: string;
  spec: Readonly<Record<string, unknown>>;
  address: string;
}): [string, string][] {
  const own: [string, string][] = kind === 'StatefulSet' ? [[`${name}.${spec.serviceName}`, address]] : [];
  return name.endsWith('-0') ? [...own, [workload, address]] : own;
}

/** Whether a pod asks for an object by its name. */
function isMounted(
  { kind, metadata: { name } }: KubernetesObject,
  { volumes = [], containers }: PodSpec,
): boolean {
  const asked = {
    Secret: volumes.map(({ secret }) => secret?.secretName),
    PersistentVolumeClaim: volumes.map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName),
    ConfigMap: [
      ...volumes.map(({ configMap }) => configMap?.name),
      ...containers.flatMap(({ envFrom = [] }: Container) =>
        envFrom.map(({ configMapRef }) => configMapRef?.name),
      ),
    ],
  };
  return (asked[kind as keyof typeof asked] ?? []).includes(name);
}
