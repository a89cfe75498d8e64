import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processes, services } from '@action-platform/contracts/services';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type KubernetesObject, podsOf } from './objects.ts';
import { render } from './render.ts';
import { hasType, kubernetesVersions, typeErrors } from './type-check.ts';

const manifests = fileURLToPath(new URL('..', import.meta.url));
const component = (name: string) => `../../components/${name}`;

/** Every optional component once. */
const choices = {
  'an Ingress, and secrets of a store': {
    on: [
      'ingress',
      'cert-manager',
      'external-secrets',
      'pull-secret',
      'otlp',
      'prometheus-operator',
      'files',
      'private-authority',
      'argo-cd',
      'priority',
    ],
    off: ['deployment'],
  },
  'the Gateway API, mailboxes and a bucket': {
    on: ['gateway-api', 'http-route', 'cert-manager', 'mailboxes', 'bucket'],
    off: [],
  },
};
const rendered = Object.entries(choices).map(
  ([name, { on, off }]) => [name, render('production', on.map(component), off)] as const,
);
const objectsOf = (choice: keyof typeof choices) => new Map(rendered).get(choice)!;
const named = (objects: readonly KubernetesObject[], kind: string, name?: string) =>
  objects.filter(
    (object) => object.kind === kind && (name === undefined || object.metadata.name?.startsWith(name)),
  );

test('every component is switched on here, or by an overlay', () => {
  const used = Object.values(choices).flatMap(({ on }) => on);
  const always = ['nats', 'values', 'admin', 'mongodb', 'mongodb-external', 'local-drafts'];
  expect([...new Set([...used, ...always])].toSorted()).toEqual(
    readdirSync(`${manifests}components`).toSorted(),
  );
});

test.each(kubernetesVersions)(
  'with every component, every object has the fields of its type in Kubernetes %s',
  (version) => {
    const objects = rendered.flatMap(([, all]) => all).filter(hasType);
    const found = typeErrors(objects, version).map(
      (error, index) => error && `${objects[index]!.kind} ${objects[index]!.metadata.name}: ${error}`,
    );
    expect(found.filter(Boolean)).toEqual([]);
  },
);

test('every value of production stands in its values.yaml: none of a component remains', () => {
  for (const [, objects] of rendered) {
    expect(JSON.stringify(objects)).not.toContain('replaced');
    expect(named(objects, 'Values')).toEqual([]);
  }
  const {
    public: site,
    image,
    resources,
    scheduling,
  } = parse(readFileSync(`${manifests}overlays/production/values.yaml`, 'utf8'));
  const objects = objectsOf('an Ingress, and secrets of a store');
  expect(named(objects, 'Ingress')[0]!.spec).toMatchObject({
    ingressClassName: site.ingressClass,
    rules: [{ host: site.host }],
    tls: [{ hosts: [site.host], secretName: site.tlsSecret }],
  });
  expect(named(objects, 'Certificate')[0]!.spec).toMatchObject({
    dnsNames: [site.host],
    secretName: site.tlsSecret,
  });
  for (const { name, spec } of podsOf(named(objects, 'Deployment'))) {
    expect([name, spec.containers[0]!.image]).toEqual([name, image]);
    if (name !== 'admin')
      expect([name, spec.containers[0]!.resources]).toEqual([name, resources[name] ?? resources.others]);
  }
  for (const { name, spec } of podsOf(objects)) {
    expect([name, spec.imagePullSecrets?.length]).toEqual([name, 1]);
    expect([name, spec.priorityClassName]).toEqual([name, scheduling.priorityClassName]);
  }
});

test('the route leads from the Gateways that the values name', () => {
  const values = parse(readFileSync(`${manifests}overlays/production/values.yaml`, 'utf8'));
  const objects = objectsOf('the Gateway API, mailboxes and a bucket');
  expect(named(objects, 'HTTPRoute')[0]!.spec).toMatchObject({
    parentRefs: values.public.gateways,
    hostnames: [values.public.host],
  });
  const names = named(objects, 'Gateway').map(({ metadata }) => metadata.name);
  expect(values.public.gateways.map(({ name }: { name: string }) => name)).toEqual(names);
});

test('a store has a secret for each process, and the Collector a variable and a policy', () => {
  const objects = objectsOf('an Ingress, and secrets of a store');
  expect(
    named(objects, 'ExternalSecret')
      .map(({ metadata }) => metadata.name)
      .toSorted(),
  ).toEqual([...processes, 'admin', 'nats'].toSorted());
  expect(named(objects, 'Secret')).toEqual([]);
  const [platform] = named(objects, 'ConfigMap', 'platform') as unknown as { data: object }[];
  expect(platform!.data).toMatchObject({ OTEL_EXPORTER_OTLP_ENDPOINT: expect.stringMatching(/^http/) });
  expect(named(objects, 'NetworkPolicy', 'to-collector')).toHaveLength(1);
});

test.each([
  ['mailboxes', 'mail'],
  ['bucket', 'knowledge'],
])('the component %s lets %s alone connect to its addresses', (name, service) => {
  const values = parse(readFileSync(`${manifests}overlays/production/values.yaml`, 'utf8'));
  const objects = objectsOf('the Gateway API, mailboxes and a bucket');
  expect(named(objects, 'NetworkPolicy', `to-${name}`).map(({ spec }) => spec)).toEqual([
    {
      podSelector: { matchLabels: { 'app.kubernetes.io/name': service } },
      policyTypes: ['Egress'],
      egress: [{ to: values[name].peers, ports: values[name].ports }],
    },
  ]);
});

test('the challenge of an issuer of certificates reaches the pod that cert-manager starts for it', () => {
  const objects = objectsOf('an Ingress, and secrets of a store');
  expect(named(objects, 'NetworkPolicy', 'certificate-challenges').map(({ spec }) => spec)).toEqual([
    {
      podSelector: { matchLabels: { 'acme.cert-manager.io/http01-solver': 'true' } },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ protocol: 'TCP', port: 8089 }] }],
    },
  ]);
});

test('the gateway and the services that connect to other servers trust a private authority', () => {
  for (const { name, spec } of podsOf(named(objectsOf('an Ingress, and secrets of a store'), 'Deployment'))) {
    const [container] = spec.containers;
    const file = container!.env!.find((variable) => variable.name === 'NODE_EXTRA_CA_CERTS')?.value;
    const trusts = ['gateway', 'mail', 'knowledge', 'events', 'custom-operations'].includes(name);
    expect([name, file]).toEqual([name, trusts ? '/run/private-authority/authority.pem' : undefined]);
    const mounted = container!.volumeMounts!.some(({ mountPath }) => file?.startsWith(`${mountPath}/`));
    expect([name, mounted]).toEqual([name, trusts]);
  }
});

test('Argo CD syncs servers, then services, then gateways', () => {
  const waves = new Map<string, Set<string>>();
  for (const { kind, metadata } of objectsOf('an Ingress, and secrets of a store')) {
    if (!['Deployment', 'StatefulSet', 'Secret', 'ConfigMap', 'NetworkPolicy'].includes(kind)) continue;
    const wave = metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? '0';
    const name = ['Deployment', 'StatefulSet'].includes(kind) ? metadata.name! : kind;
    waves.set(wave, (waves.get(wave) ?? new Set()).add(name));
  }
  expect(Object.fromEntries(waves)).toEqual({
    0: new Set(['NetworkPolicy', 'ConfigMap']),
    1: new Set(['nats']),
    3: new Set([...services, 'admin']),
    4: new Set(['gateway']),
  });
});
