import type { Container, PodSpec, SecurityContext, Volume } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

/** What Pod Security looks at. */
export interface Pod {
  readonly metadata?: ObjectMeta;
  readonly spec: PodSpec;
}

type Probe = NonNullable<Container['livenessProbe']>;
type Handler = NonNullable<NonNullable<Container['lifecycle']>['preStop']>;

const containersOf = ({ spec }: Pod): Container[] => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
  ...((spec.ephemeralContainers ?? []) as Container[]),
];

/** Of the pod and of each container. */
const contextsOf = (pod: Pod): SecurityContext[] =>
  [pod.spec.securityContext, ...containersOf(pod).map(({ securityContext }) => securityContext)].filter(
    (context) => context !== undefined,
  ) as SecurityContext[];

/** Whether a field has a value that counts in every container: the container's own, or the pod's where it has none. */
function everywhere<Field extends 'runAsNonRoot' | 'seccompProfile'>(
  pod: Pod,
  field: Field,
  counts: (value: SecurityContext[Field] | undefined) => boolean,
): boolean {
  const ofPod = pod.spec.securityContext as SecurityContext | undefined;
  return containersOf(pod).every(({ securityContext }) => counts(securityContext?.[field] ?? ofPod?.[field]));
}

const volumeTypes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const sysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_syncookies',
];
const seLinuxTypes = ['container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'];
const confined = ['RuntimeDefault', 'Localhost'];

/**
 * Each rule of the Pod Security Standards' profile `restricted` (kubernetes.io, "Pod Security Standards", as of 1.34), those of
 * `baseline` that it includes first; true where a pod follows it. The ones about Windows hold for every pod here: none says `os`.
 */
export const restricted: Readonly<Record<string, (pod: Pod) => boolean>> = {
  'no HostProcess': (pod) => contextsOf(pod).every(({ windowsOptions }) => !windowsOptions?.hostProcess),
  'no host namespaces': ({ spec }) => !spec.hostNetwork && !spec.hostPID && !spec.hostIPC,
  'no privileged containers': (pod) => contextsOf(pod).every(({ privileged }) => !privileged),
  'no host ports': (pod) =>
    containersOf(pod).every(({ ports = [] }) => ports.every(({ hostPort }) => !hostPort)),
  'no host in probes and hooks': (pod) => containersOf(pod).every((container) => !namesHost(container)),
  'an AppArmor profile of the runtime, if any': ({ metadata, ...pod }) =>
    contextsOf(pod).every((context) => {
      const { type } = (context as { appArmorProfile?: { type?: string } }).appArmorProfile ?? {};
      return type === undefined || confined.includes(type);
    }) &&
    Object.entries(metadata?.annotations ?? {}).every(
      ([name, value]) =>
        !name.startsWith('container.apparmor.security.beta.kubernetes.io/') ||
        /^(runtime\/default|localhost\/.+)?$/.test(value),
    ),
  'an SELinux type for containers, if any': (pod) =>
    contextsOf(pod).every(
      ({ seLinuxOptions: { type, user, role } = {} }) =>
        (!type || seLinuxTypes.includes(type)) && !user && !role,
    ),
  'the default /proc mount': (pod) =>
    contextsOf(pod).every(({ procMount = 'Default' }) => procMount === 'Default'),
  'safe sysctls only': ({ spec }) =>
    (spec.securityContext?.sysctls ?? []).every(({ name }) => sysctls.includes(name)),
  'volumes of what Kubernetes manages': ({ spec }) => (spec.volumes ?? []).every(isManaged),
  'no privilege escalation': (pod) =>
    containersOf(pod).every(({ securityContext }) => securityContext?.allowPrivilegeEscalation === false),
  'must run as non-root': (pod) => everywhere(pod, 'runAsNonRoot', (value) => value === true),
  'no root user': (pod) => contextsOf(pod).every(({ runAsUser }) => runAsUser !== 0),
  'a seccomp profile': (pod) => {
    const isConfined = (profile: SecurityContext['seccompProfile'] | undefined) =>
      confined.includes(profile?.type ?? '');
    const stated = contextsOf(pod).flatMap(({ seccompProfile }) => seccompProfile ?? []);
    return everywhere(pod, 'seccompProfile', isConfined) && stated.every(isConfined);
  },
  'all capabilities dropped': (pod) =>
    containersOf(pod).every(({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL')),
  'no capability added but NET_BIND_SERVICE': (pod) =>
    contextsOf(pod).every(({ capabilities }) =>
      (capabilities?.add ?? []).every((name) => name === 'NET_BIND_SERVICE'),
    ),
};

/** The rules of `restricted` that a pod breaks. */
export function broken(pod: Pod): string[] {
  return Object.keys(restricted).filter((name) => !restricted[name]!(pod));
}

function namesHost({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): boolean {
  const handlers: (Probe | Handler | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  return handlers.some((handler) => handler?.httpGet?.host || handler?.tcpSocket?.host);
}

function isManaged({ name: _, ...source }: Volume): boolean {
  return Object.keys(source).every((type) => volumeTypes.includes(type));
}
