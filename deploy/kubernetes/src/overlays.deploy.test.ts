import { readFileSync } from 'node:fs';
import { processes } from '@action-platform/contracts/services';
import { describe, expect, test } from '@jest/globals';
import type { PodSpec } from 'kubernetes-types/core/v1.js';
import { type KubernetesObject, podsOf } from './objects.ts';
import { overlays, render } from './render.ts';
import { kubernetesVersions, typeErrors } from './type-check.ts';

const podSecurity = {
  runAsNonRoot: true,
  runAsUser: 1000,
  runAsGroup: 1000,
  fsGroup: 1000,
  seccompProfile: { type: 'RuntimeDefault' },
};
const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
const volumeTypes = ['configMap', 'emptyDir', 'persistentVolumeClaim', 'secret'];

const rendered = overlays.map((overlay) => ({ overlay, objects: render(overlay) }));

const named = (objects: readonly KubernetesObject[], kind: string) =>
  new Map(objects.filter((object) => object.kind === kind).map((object) => [object.metadata.name!, object]));
const containersOf = ({ containers, initContainers = [] }: PodSpec) => [...containers, ...initContainers];
const titleOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;

test.each(kubernetesVersions)(
  'Kubernetes %s: every object has the fields of its type; the check finds a mistake in each',
  (version) => {
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
    const errors = typeErrors([...objects, ...mistakes], version);
    const found = errors
      .slice(0, objects.length)
      .map((error, index) => error && `${titleOf(objects[index]!)}: ${error}`);
    expect(found.filter(Boolean)).toEqual([]);
    expect(errors.slice(objects.length).map(Boolean)).toEqual(mistakes.map(() => true));
  },
);

describe.each(rendered)('$overlay', ({ overlay, objects }) => {
  test('every service has a deployment, an autoscaler, a disruption budget and credentials of its own', () => {
    expect([...named(objects, 'Deployment').keys()].toSorted()).toEqual([...processes, 'admin'].toSorted());
    for (const kind of ['HorizontalPodAutoscaler', 'PodDisruptionBudget'])
      expect([...named(objects, kind).keys()]).toEqual(expect.arrayContaining([...processes]));
    for (const [service, { spec }] of named(objects, 'Deployment')) {
      const credentials = spec!.template!.spec!.volumes!.find(({ name }) => name === 'credentials');
      expect(credentials!.secret!.secretName).toMatch(new RegExp(`^${service}-[0-9a-z]{10}$`));
    }
  });

  test('every pod follows the profile `restricted`, which the namespace enforces', () => {
    expect(named(objects, 'Namespace').get('action-platform')?.metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
    for (const { name, spec } of podsOf(objects)) {
      // Exact values: a field more could lift the profile.
      expect([name, spec.securityContext]).toEqual([name, podSecurity]);
      for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'ephemeralContainers'])
        expect([name, spec]).not.toHaveProperty(['1', field]);
      for (const { name: volume, ...source } of spec.volumes ?? [])
        expect([volume, Object.keys(source).filter((type) => !volumeTypes.includes(type))]).toEqual([
          volume,
          [],
        ]);
      for (const container of containersOf(spec)) {
        expect([name, container.securityContext]).toEqual([name, containerSecurity]);
        expect(JSON.stringify(container)).not.toMatch(/"host(Port|IP)?":/);
      }
    }
  });

  test('every container has a memory limit and requests; one that stays has probes', () => {
    for (const { name, kind, spec } of podsOf(objects)) {
      for (const { resources } of containersOf(spec))
        expect([name, resources]).toEqual([
          name,
          {
            requests: { cpu: expect.any(String), memory: expect.any(String) },
            limits: { memory: expect.any(String) },
          },
        ]);
      // The pod of the operator's command serves nothing.
      if (kind === 'Job' || name === 'admin') continue;
      const [{ livenessProbe, readinessProbe, startupProbe } = {}] = spec.containers;
      expect([name, !livenessProbe, !readinessProbe, !startupProbe]).toEqual([name, false, false, false]);
    }
  });

  test('every pod has a ServiceAccount of its own, and spreads over zones and machines', () => {
    const accounts = named(objects, 'ServiceAccount');
    for (const { name, kind, spec } of podsOf(objects)) {
      expect([name, spec.serviceAccountName, accounts.has(name)]).toEqual([name, name, true]);
      if (kind === 'Job' || ['mongodb', 'admin'].includes(name)) continue;
      const topologies = spec.topologySpreadConstraints!.map(({ topologyKey }) => topologyKey);
      const all = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'];
      // A cluster for evaluation may have one node.
      const ofOneNode = name === 'nats' && overlay === 'evaluation';
      expect([name, topologies]).toEqual([name, ofOneNode ? all.slice(0, 1) : all]);
    }
  });

  test('readiness probes wait as long as docs/operations.md says', () => {
    const page = readFileSync('docs/operations.md', 'utf8');
    const [, seconds] = /give a probe (\d+) seconds/.exec(page)!;
    for (const process of processes) {
      const [container] = named(objects, 'Deployment').get(process)!.spec!.template!.spec!.containers;
      expect(container!.readinessProbe!.timeoutSeconds).toBe(Number(seconds));
    }
  });

  test('autoscalers begin where docs/scaling.md counts another replica, and those of gateways before', () => {
    const [, percent] = /busy for (\d+) %/.exec(readFileSync('docs/scaling.md', 'utf8'))!;
    for (const process of processes) {
      const { metrics } = named(objects, 'HorizontalPodAutoscaler').get(process)!.spec as {
        metrics?: { resource: { target: { averageValue: string } } }[];
      };
      const value = Number.parseInt(metrics![0]!.resource.target.averageValue, 10);
      if (process === 'gateway') expect(value).toBeLessThan(Number(percent) * 10);
      else expect(value).toBe(Number(percent) * 10);
    }
  });

  test('network policies deny by default, and each that allows egress names its destination', () => {
    const policies = named(objects, 'NetworkPolicy');
    expect(policies.get('default-deny')?.spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const open = [...policies].flatMap(([name, { spec }]) =>
      ((spec!.egress ?? []) as { to?: object[] }[]).some(({ to }) => !to?.length) ? [name] : [],
    );
    // The gateway fetches its issuer's keys from any address.
    expect(open).toEqual(['gateway']);
  });

  test('every label selector selects a pod', () => {
    const pods = podsOf(objects).map(({ labels }) => labels);
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

  test('every Secret, ConfigMap and claim of a pod exists', () => {
    const there = ['Secret', 'ConfigMap', 'PersistentVolumeClaim'].flatMap((kind) => [
      ...named(objects, kind).keys(),
    ]);
    const asked = podsOf(objects).flatMap(({ spec }) => [
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

interface Rule {
  readonly from?: readonly { readonly podSelector?: object }[];
  readonly to?: readonly { readonly podSelector?: object }[];
}

/** The label selectors of services, budgets, workloads, policies and spread constraints. */
function selectorsIn(objects: readonly KubernetesObject[]) {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const spread = spec?.template?.spec?.topologySpreadConstraints ?? [];
    const peers = ['ingress', 'egress'].flatMap((rules) => (spec?.[rules] ?? []) as Rule[]);
    const selectors = [
      spec?.selector,
      spec?.podSelector,
      ...peers.flatMap(({ from = [], to = [] }) => [...from, ...to].map(({ podSelector }) => podSelector)),
      ...spread.map(({ labelSelector }) => labelSelector),
    ];
    return selectors.flatMap((selector) => {
      if (selector === undefined) return [];
      const labels = kind === 'Service' ? selector : (selector as { matchLabels?: object }).matchLabels;
      return [{ kind, name: metadata.name, labels: (labels ?? {}) as Record<string, string> }];
    });
  });
}

test('production asks for no storage that several nodes mount, and keeps no drafts of its own', () => {
  const { objects } = rendered.find(({ overlay }) => overlay === 'production')!;
  expect(JSON.stringify(objects)).not.toMatch(/ReadWriteMany|MAIL_LOCAL_DIR/);
  expect(named(objects, 'PersistentVolumeClaim').size).toBe(0);
});

test('production places each NATS server on a node of its own', () => {
  const { objects } = rendered.find(({ overlay }) => overlay === 'production')!;
  const nats = named(objects, 'StatefulSet').get('nats')!.spec!;
  const nodes = nats.template!.spec!.topologySpreadConstraints!.find(
    ({ topologyKey }) => topologyKey === 'kubernetes.io/hostname',
  );
  expect(nodes).toMatchObject({
    maxSkew: 1,
    minDomains: nats.replicas,
    whenUnsatisfiable: 'DoNotSchedule',
  });
});

test('evaluation: a pod with a volume of one node follows the former pod there, and is alone', () => {
  const { objects } = rendered.find(({ overlay }) => overlay === 'evaluation')!;
  const withClaim = podsOf(objects).filter(({ spec }) => spec.volumes?.some((v) => v.persistentVolumeClaim));
  expect(withClaim.map(({ name }) => name).toSorted()).toEqual(['knowledge', 'mail']);
  for (const { name, labels, spec } of withClaim) {
    const [term] = spec.affinity!.podAffinity!.requiredDuringSchedulingIgnoredDuringExecution!;
    expect(term!.topologyKey).toBe('kubernetes.io/hostname');
    expect(labels).toMatchObject(term!.labelSelector!.matchLabels!);
    expect(named(objects, 'HorizontalPodAutoscaler').get(name)!.spec).toMatchObject({ maxReplicas: 1 });
  }
});

test.each(overlays)('%s: nothing names its namespace but the overlay', (overlay) => {
  const objects = render(overlay, [], [], 'cell-2');
  expect([...named(objects, 'Namespace').keys()]).toEqual(['cell-2']);
  expect(
    objects.filter(({ kind }) => kind !== 'Namespace').map(({ metadata }) => metadata.namespace),
  ).toEqual(objects.slice(1).map(() => 'cell-2'));
});
