import { processes } from '@action-platform/contracts';
import { describe, expect, test } from '@jest/globals';
import { type KubernetesObject, podsOf } from './objects.ts';
import { broken } from './pod-security/restricted.ts';
import { overlays, render } from './render.ts';
import { typeErrors } from './type-check.ts';

const rendered = overlays.map((overlay) => ({ overlay, objects: render(overlay) }));

const named = (objects: readonly KubernetesObject[], kind: string) =>
  new Map(objects.filter((object) => object.kind === kind).map((object) => [object.metadata.name!, object]));
const titleOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;

test('every object is one that Kubernetes knows, without a field too many or too few; a mistake in any is found', () => {
  const objects = rendered.flatMap(({ objects }) => objects);
  const deployment = objects.find(({ kind }) => kind === 'Deployment')!;
  const autoscaler = objects.find(({ kind }) => kind === 'HorizontalPodAutoscaler')!;
  const policy = objects.find(({ kind }) => kind === 'NetworkPolicy')!;
  const { selector: _, ...withoutSelector } = deployment.spec!;
  const mistakes: KubernetesObject[] = [
    { ...deployment, spec: { ...deployment.spec, replica: 2 } },
    { ...deployment, spec: { ...deployment.spec, replicas: '2' } },
    { ...deployment, spec: withoutSelector },
    { ...deployment, kind: 'Deploiment' },
    { ...deployment, apiVersion: 'apps/v1beta9' },
    { ...autoscaler, spec: { ...autoscaler.spec, maxReplica: 3 } },
    { ...policy, spec: { ...policy.spec, podSelector: { matchLabel: {} } } },
  ];
  const errors = typeErrors([...objects, ...mistakes]);
  const found = errors
    .slice(0, objects.length)
    .map((error, index) => error && `${titleOf(objects[index]!)}: ${error}`);
  expect(found.filter(Boolean)).toEqual([]);
  expect(errors.slice(objects.length).map(Boolean)).toEqual(mistakes.map(() => true));
});

describe.each(rendered)('$overlay', ({ objects }) => {
  test('every service has a deployment, an autoscaler, a disruption budget and credentials of its own', () => {
    expect([...named(objects, 'Deployment').keys()].toSorted()).toEqual(processes.toSorted());
    for (const kind of ['HorizontalPodAutoscaler', 'PodDisruptionBudget'])
      expect([...named(objects, kind).keys()]).toEqual(expect.arrayContaining([...processes]));
    for (const [service, { spec }] of named(objects, 'Deployment')) {
      const [credentials] = spec!.template!.spec!.volumes!;
      expect(credentials!.secret!.secretName).toMatch(new RegExp(`^${service}-[0-9a-z]{10}$`));
    }
  });

  test('every pod follows each rule of the profile restricted, and the namespace asks for it', () => {
    expect(podsOf(objects).flatMap(({ name, pod }) => broken(pod).map((rule) => `${name}: ${rule}`))).toEqual(
      [],
    );
    expect(named(objects, 'Namespace').get('action-platform')?.metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  test('every container says what it takes, cannot write its root, and one that stays is probed', () => {
    for (const { name, pod } of podsOf(objects)) {
      const { containers, initContainers = [], restartPolicy } = pod.spec;
      for (const container of [...containers, ...initContainers]) {
        expect([name, container.resources]).toEqual([
          name,
          {
            requests: { cpu: expect.any(String), memory: expect.any(String) },
            limits: { memory: expect.any(String) },
          },
        ]);
        expect([name, container.securityContext?.readOnlyRootFilesystem]).toEqual([name, true]);
      }
      if (restartPolicy === 'OnFailure') continue;
      const [{ livenessProbe, readinessProbe, startupProbe } = {}] = containers;
      expect([name, !livenessProbe, !readinessProbe, !startupProbe]).toEqual([name, false, false, false]);
    }
  });

  test('a Job is gone soon after its end, as the next to be applied cannot change it', () => {
    for (const { spec } of named(objects, 'Job').values())
      expect(spec!.ttlSecondsAfterFinished).toBeLessThanOrEqual(60);
  });

  test('whoever selects pods by labels selects some', () => {
    const pods = podsOf(objects).map(({ pod }) => pod.metadata?.labels ?? {});
    const selects = (labels: Readonly<Record<string, string>>) =>
      pods.some((pod) => Object.entries(labels).every(([name, value]) => pod[name] === value));
    const selectors = selectorsIn(objects);
    expect(selectors.length).toBeGreaterThan(20);
    expect(selectors.filter(({ labels }) => !selects(labels))).toEqual([]);
    const notByName = selectors.filter(
      ({ kind, labels }) => kind !== 'NetworkPolicy' && !labels['app.kubernetes.io/name'],
    );
    expect(notByName).toEqual([]);
  });

  test('every Secret, ConfigMap and claim that a pod asks for is there', () => {
    const there = ['Secret', 'ConfigMap', 'PersistentVolumeClaim'].flatMap((kind) => [
      ...named(objects, kind).keys(),
    ]);
    const asked = podsOf(objects).flatMap(({ pod: { spec } }) => [
      ...(spec.volumes ?? []).flatMap(({ secret, configMap, persistentVolumeClaim }) =>
        [secret?.secretName, configMap?.name, persistentVolumeClaim?.claimName].filter(
          (name) => name !== undefined,
        ),
      ),
      ...spec.containers.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef?.name)),
    ]);
    expect(asked.filter((name) => !there.includes(name!))).toEqual([]);
  });
});

/** The label selectors of services, budgets, workloads, policies and spread constraints. */
function selectorsIn(objects: readonly KubernetesObject[]) {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const spread = spec?.template?.spec?.topologySpreadConstraints ?? [];
    const selectors = [
      spec?.selector,
      spec?.podSelector,
      ...spread.map(({ labelSelector }) => labelSelector),
    ];
    return selectors.flatMap((selector) => {
      if (selector === undefined) return [];
      const labels = kind === 'Service' ? selector : (selector as { matchLabels?: object }).matchLabels;
      return [{ kind, name: metadata.name, labels: (labels ?? {}) as Record<string, string> }];
    });
  });
}
