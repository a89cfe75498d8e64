import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type ProcessName, processes, services } from '@action-platform/contracts/services';
import { keyedServices, keyVariables, paths } from '@action-platform/deployment';
import { parse, stringify } from 'yaml';

/** The manifests with an entry for each process: `npm run docs` writes them. Everything that processes share is in `base/service`. */

const BASE = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' };
const COMPONENT = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' };
const CREDENTIALS = '/run/platform/credentials';
const SERVERS = { nats: [paths.natsServerConfig], mongodb: [paths.mongodConfig, paths.databaseKey] };

/** The objects of a process: those of the template, with its name. */
function processOf(process: ProcessName): object {
  const keyed = keyedServices.find((name) => name === process);
  const pod = '/spec/template/spec';
  const replaced = (path: string, value = process) => ({ op: 'replace', path, value });
  const added = (name: string, value: string) => {
    return { op: 'add', path: `${pod}/containers/0/env/-`, value: { name, value } };
  };
  const deployment = [
    replaced(`${pod}/serviceAccountName`),
    replaced(`${pod}/volumes/0/secret/secretName`),
    ...(keyed ? [added(`${keyVariables[keyed]}_FILE`, `${CREDENTIALS}/secret.keys`)] : []),
    // The gateway has no database.
    ...(process === 'gateway' ? [] : [added('MONGODB_URL_FILE', `${CREDENTIALS}/database.url`)]),
  ];
  const patches = [
    { target: { name: 'service' }, patch: [replaced('/metadata/name')] },
    { target: { kind: 'HorizontalPodAutoscaler' }, patch: [replaced('/spec/scaleTargetRef/name')] },
    { target: { kind: 'Deployment' }, patch: deployment },
  ];
  return {
    ...BASE,
    resources: ['../../service'],
    labels: [{ pairs: { 'app.kubernetes.io/name': process }, includeSelectors: true }],
    patches: patches.map(({ target, patch }) => ({ target, patch: stringify(patch) })),
  };
}

/** The Secrets of the files of `deployment init`: those of each process, and of these servers. */
function secretsOf(servers: readonly (keyof typeof SERVERS)[], more: readonly object[] = []): object {
  const secret = (name: string, files: readonly string[]) => ({
    name,
    files: files.map((path) => `${basename(path)}=${path}`),
  });
  const filesOf = (process: ProcessName) => [
    ...[paths.seed(process), paths.sealKeys(process)],
    ...services.filter((name) => name === process).map(paths.databaseUrl),
    ...keyedServices.filter((name) => name === process).map(paths.secretKeys),
  ];
  return {
    ...COMPONENT,
    configMapGenerator: [{ name: 'authority', files: [paths.authority] }],
    secretGenerator: [
      ...processes.map((process) => secret(process, filesOf(process))),
      secret('admin', [paths.seed('admin')]),
      ...servers.map((name) => secret(name, [...SERVERS[name], paths.certificate(name), paths.authority])),
      ...more,
    ],
  };
}

/** A secret of a store for each process, the operator and the bus; the component adds the store, and the prefix in the place of `replaced`. */
const storedSecrets = [...processes, 'admin', 'nats'].map((name) => ({
  apiVersion: 'external-secrets.io/v1',
  kind: 'ExternalSecret',
  metadata: { name },
  spec: {
    target: { name, creationPolicy: 'Owner' },
    dataFrom: [{ extract: { key: `replaced/${name}` } }],
  },
}));

/** The groups of a file of Prometheus's rules. */
function ruleGroups(name: string): object[] {
  const file = new URL(`../../observability/prometheus/rules/${name}.yaml`, import.meta.url);
  return parse(readFileSync(file, 'utf8')).groups;
}

const SECRETS = `# The secrets of \`npm run admin -- deployment init --dir …\`, which writes its files beside this one (docs/kubernetes.md).
# A changed file changes the name of its Secret, and so restarts the pods that read it, one by one.
`;
const written = (path: string, content: object, about = '') => ({
  file: new URL(`../${path}`, import.meta.url),
  content: `# Generated from deploy/kubernetes/src/generate.ts: run \`npm run docs\`.\n${about}${stringify(content, { lineWidth: 0 })}`,
});

/** The generated manifests. @public `npm run docs` writes them */
export const generated = [
  ...processes.map((name) => written(`base/processes/${name}/kustomization.yaml`, processOf(name))),
  written('base/processes/kustomization.yaml', { ...BASE, resources: processes }),
  written(
    'overlays/evaluation/deployment/kustomization.yaml',
    secretsOf(['nats', 'mongodb'], [{ name: 'deployment', files: ['deployment.json'] }]),
    SECRETS,
  ),
  written('overlays/production/deployment/kustomization.yaml', secretsOf(['nats']), SECRETS),
  written('components/external-secrets/secrets.yaml', {
    apiVersion: 'v1',
    kind: 'List',
    items: storedSecrets,
  }),
  written('components/prometheus-operator/rules.yaml', {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'action-platform' },
    spec: { groups: ['objectives', 'alerts'].flatMap(ruleGroups) },
  }),
];
