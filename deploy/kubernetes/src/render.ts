import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findKustomize } from '@action-platform/container';
import { processes, services } from '@action-platform/contracts/services';
import { keyedServices, paths } from '@action-platform/deployment';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from './objects.ts';

/** The overlays in `deploy/kubernetes/overlays`. */
export const overlays = ['evaluation', 'production'] as const;

const manifests = fileURLToPath(new URL('..', import.meta.url));

/** The files of `deployment init` that overlays read. Their content does not matter here. */
const deploymentFiles = [
  'deployment.json',
  paths.natsServerConfig,
  paths.mongodConfig,
  paths.databaseKey,
  paths.authority,
  ...keyedServices.map(paths.secretKeys),
  ...['nats', 'mongodb'].map(paths.certificate),
  ...[...processes, 'admin' as const].map(paths.seed),
  ...processes.map(paths.sealKeys),
  ...services.map(paths.databaseUrl),
];

/** Writes placeholders for the files of a deployment. */
export function writeDeployment(folder: string): void {
  for (const file of deploymentFiles) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${file}\n`);
  }
}

const kustomize = await findKustomize();

/**
 * Renders an overlay as `kubectl apply -k` does, with placeholders for the files of a deployment.
 *
 * @param on the components to switch on, and `off` to switch off, as its kustomization.yaml names them
 * @param namespace in the place of its own
 * @throws Error with kustomize's message when it refuses, or when the overlay has no such switch
 */
export function render(
  overlay: (typeof overlays)[number],
  on: readonly string[] = [],
  off: readonly string[] = [],
  namespace = 'action-platform',
): KubernetesObject[] {
  const copy = mkdtempSync(join(tmpdir(), 'manifests-'));
  try {
    for (const folder of ['base', 'components', 'overlays'])
      cpSync(join(manifests, folder), join(copy, folder), { recursive: true });
    writeDeployment(join(copy, 'overlays', overlay, 'deployment'));
    const file = join(copy, 'overlays', overlay, 'kustomization.yaml');
    let kustomization = readFileSync(file, 'utf8');
    for (const [from, to, names] of [
      ['  # - ', '  - ', on],
      ['  - ', '  # - ', off],
    ] as const) {
      for (const name of names) {
        if (!kustomization.includes(`\n${from}${name}\n`))
          throw new Error(`${overlay} has no ${from}${name}`);
        kustomization = kustomization.replace(`\n${from}${name}\n`, `\n${to}${name}\n`);
      }
    }
    writeFileSync(file, kustomization.replace(/^namespace: .*$/m, `namespace: ${namespace}`));
    const [program, ...first] = kustomize;
    const text = execFileSync(program, [...first, join(copy, 'overlays', overlay)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return parseAllDocuments(text).map((document) => document.toJS());
  } finally {
    rmSync(copy, { recursive: true });
  }
}
