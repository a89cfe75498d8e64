import { expect, test } from '@jest/globals';
import { podsOf } from '../objects.ts';
import { render } from '../render.ts';
import { broken, type Pod, restricted } from './restricted.ts';

/** A change of a pod by JSON paths: what stands at each is put there. */
type Change = Readonly<Record<string, unknown>>;

const container = 'spec.containers.0';
const ofContainer = `${container}.securityContext`;
const ofPod = 'spec.securityContext';

/** Pods of the platform, each broken in one place. */
const table: readonly (readonly [rule: string, Change])[] = [
  ['no HostProcess', { [`${ofPod}.windowsOptions`]: { hostProcess: true } }],
  ['no HostProcess', { [`${ofContainer}.windowsOptions`]: { hostProcess: true } }],
  ['no host namespaces', { 'spec.hostNetwork': true }],
  ['no host namespaces', { 'spec.hostPID': true }],
  ['no host namespaces', { 'spec.hostIPC': true }],
  ['no privileged containers', { [`${ofContainer}.privileged`]: true }],
  ['no host ports', { [`${container}.ports.0.hostPort`]: 8080 }],
  ['no host in probes and hooks', { [`${container}.livenessProbe.httpGet.host`]: '10.0.0.1' }],
  [
    'no host in probes and hooks',
    { [`${container}.lifecycle`]: { preStop: { tcpSocket: { host: 'db', port: 1 } } } },
  ],
  [
    'an AppArmor profile of the runtime, if any',
    { [`${ofContainer}.appArmorProfile`]: { type: 'Unconfined' } },
  ],
  [
    'an AppArmor profile of the runtime, if any',
    { 'metadata.annotations': { 'container.apparmor.security.beta.kubernetes.io/service': 'unconfined' } },
  ],
  ['an SELinux type for containers, if any', { [`${ofPod}.seLinuxOptions`]: { type: 'spc_t' } }],
  ['an SELinux type for containers, if any', { [`${ofContainer}.seLinuxOptions`]: { user: 'system_u' } }],
  ['the default /proc mount', { [`${ofContainer}.procMount`]: 'Unmasked' }],
  ['safe sysctls only', { [`${ofPod}.sysctls`]: [{ name: 'kernel.msgmax', value: '1' }] }],
  [
    'volumes of what Kubernetes manages',
    { 'spec.volumes.0': { name: 'credentials', hostPath: { path: '/' } } },
  ],
  [
    'volumes of what Kubernetes manages',
    { 'spec.volumes.0': { name: 'credentials', nfs: { server: 'x', path: '/' } } },
  ],
  ['no privilege escalation', { [`${ofContainer}.allowPrivilegeEscalation`]: true }],
  ['no privilege escalation', { [`${ofContainer}.allowPrivilegeEscalation`]: undefined }],
  ['must run as non-root', { [`${ofPod}.runAsNonRoot`]: undefined }],
  ['must run as non-root', { [`${ofContainer}.runAsNonRoot`]: false }],
  ['no root user', { [`${ofPod}.runAsUser`]: 0 }],
  ['no root user', { [`${ofContainer}.runAsUser`]: 0 }],
  ['a seccomp profile', { [`${ofPod}.seccompProfile`]: undefined }],
  ['a seccomp profile', { [`${ofContainer}.seccompProfile`]: { type: 'Unconfined' } }],
  ['all capabilities dropped', { [`${ofContainer}.capabilities.drop`]: ['NET_RAW'] }],
  ['no capability added but NET_BIND_SERVICE', { [`${ofContainer}.capabilities.add`]: ['SYS_ADMIN'] }],
];

const [good] = podsOf(await render('evaluation'));

test('nothing is found in the pod as it is, nor in what restricted leaves free', () => {
  expect(broken(good!.pod)).toEqual([]);
  const free = {
    [`${ofContainer}.capabilities.add`]: ['NET_BIND_SERVICE'],
    [`${ofContainer}.seccompProfile`]: { type: 'Localhost', localhostProfile: 'platform.json' },
    [`${ofPod}.sysctls`]: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }],
    [`${ofPod}.seLinuxOptions`]: { type: 'container_t', level: 's0' },
  };
  expect(broken(changed(good!.pod, free))).toEqual([]);
});

test.each(table)('%s: broken by %j', (rule, change) => {
  expect(broken(changed(good!.pod, change))).toEqual([rule]);
});

test.each(table)('%s: also seen in a container that prepares the pod', (rule, change) => {
  const onContainer = Object.keys(change).every((path) => path.startsWith(container));
  if (!onContainer) return expect(rule in restricted).toBe(true);
  const init = { ...good!.pod.spec.containers[0]!, name: 'init' };
  const pod = { ...good!.pod, spec: { ...good!.pod.spec, initContainers: [init] } };
  const ofInit = Object.entries(change).map(([path, value]) => [
    path.replace('containers', 'initContainers'),
    value,
  ]);
  expect(broken(changed(pod, Object.fromEntries(ofInit)))).toEqual([rule]);
});

test('every rule is in the table', () => {
  expect(new Set(table.map(([rule]) => rule))).toEqual(new Set(Object.keys(restricted)));
});

function changed(pod: Pod, change: Change): Pod {
  const copy = structuredClone(pod);
  for (const [path, value] of Object.entries(change)) {
    const steps = path.split('.');
    const last = steps.pop()!;
    let place: Record<string, unknown> = copy as object as Record<string, unknown>;
    for (const step of steps) {
      place[step] ??= {};
      place = place[step] as Record<string, unknown>;
    }
    place[last] = value;
  }
  return copy;
}
