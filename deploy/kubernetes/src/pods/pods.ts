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
export function placePods(
  objects: readonly KubernetesObject[],
  others: Readonly<Record<string, string>>,
): PlacedPod[] {
  const workloads = objects.filter(({ spec }) => spec?.template?.spec);
  const instances = workloads.flatMap(({ kind, metadata, spec }) =>
    Array.from({ length: kind === 'StatefulSet' ? Number(spec!.replicas) : 1 }, (_, ordinal) => ({
      kind: kind as PlacedPod['kind'],
      workload: metadata.name!,
      name: kind === 'StatefulSet' ? `${metadata.name}-${ordinal}` : metadata.name!,
      spec: spec!,
    })),
  );
  const addressed = instances.map((instance, index) => ({ ...instance, address: `${SUBNET}.${index + 10}` }));
  const hosts = [...Object.entries(others), ...addressed.flatMap(namesOf)];
  const hostAliases = hosts.map(([hostname, ip]) => ({ ip, hostnames: [hostname] }));
  return addressed.map((instance) => place(instance, objects, hostAliases));
}

/** A pod that a workload is to have. */
interface Instance extends Pick<PlacedPod, 'name' | 'workload' | 'address' | 'kind'> {
  readonly spec: NonNullable<KubernetesObject['spec']>;
}

function place(
  { kind, workload, name, address, spec: { template, volumeClaimTemplates = [] } }: Instance,
  objects: readonly KubernetesObject[],
  hostAliases: NonNullable<PodSpec['hostAliases']>,
): PlacedPod {
  const wanted = template!.spec!;
  const claims = (volumeClaimTemplates as { metadata: { name: string }; spec: object }[]).map(
    ({ metadata, spec }) => ({ volume: metadata.name, name: `${metadata.name}-${name}`, spec }),
  );
  const spec: PodSpec = {
    ...wanted,
    hostAliases,
    securityContext: { ...wanted.securityContext, supplementalGroups: [0] },
    volumes: [
      ...(wanted.volumes ?? []).map(asPodmanTakesIt),
      ...claims.map((claim) => ({ name: claim.volume, persistentVolumeClaim: { claimName: claim.name } })),
    ],
  };
  const made = claims.map((claim) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: claim.name },
    spec: claim.spec,
  }));
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...template!.metadata, name }, spec };
  const mounted = objects.filter((object) => isMounted(object, spec));
  const files = filesOf(wanted, objects);
  return { name, workload, address, kind, spec, files, objects: [...mounted, ...made, pod] };
}

/** The files of those Secrets that have folders, by path and in base64. */
function filesOf({ volumes = [] }: PodSpec, objects: readonly KubernetesObject[]): Record<string, string> {
  const files = volumes.filter(hasFolders).flatMap(({ secret }) => {
    const { secretName, items } = secret!;
    const { data } = objects.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === secretName)!;
    return items!.map(({ key, path }) => [`${secretName}/${path}`, data![key]!] as const);
  });
  return Object.fromEntries(files);
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
function namesOf({ kind, workload, name, spec, address }: Instance): [string, string][] {
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
