import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, type LocalServer, startNatsServer } from '@action-platform/local-servers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import { parseAllDocuments } from 'yaml';

const manifest = fileURLToPath(new URL('../components/nats/nats.yaml', import.meta.url));
const { spec } = parseAllDocuments(readFileSync(manifest, 'utf8'))
  .map((document) => document.toJS())
  .find(({ kind }) => kind === 'StatefulSet') as StatefulSet;
const [{ startupProbe, readinessProbe, livenessProbe } = {}] = spec!.template.spec!.containers;
const probes = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe!.httpGet!.path!);

const folder = mkdtempSync(join(tmpdir(), 'probes-'));
let members: LocalServer[];
let monitors: number[];
beforeAll(async () => {
  const ports: number[] = [];
  for (let count = 0; count < 6; count++) ports.push(await freePort((ports.at(-1) ?? 20_000) + 1));
  const clusterPorts = ports.slice(0, 3);
  monitors = ports.slice(3);
  members = await Promise.all(
    clusterPorts.map((port, index) => {
      const name = `nats-${index}`;
      const routes = clusterPorts.map((peer) => `nats://127.0.0.1:${peer}`);
      const cluster = { name: 'probes', listen: `127.0.0.1:${port}`, routes };
      const config = { http: `127.0.0.1:${monitors[index]}`, server_name: name, jetstream: {}, cluster };
      const lines = Object.entries(config).map(([field, value]) => `${field}: ${JSON.stringify(value)}\n`);
      const path = (file: string) => join(folder, `${name}${file}`);
      return startNatsServer({
        config: lines.join(''),
        configFile: path('.conf'),
        storeDir: path(''),
        logFile: path('.log'),
      });
    }),
  );
});
afterAll(async () => {
  await Promise.all(members.map((member) => member.stop()));
  rmSync(folder, { recursive: true });
});

const statusesOf = (monitor: number, paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await fetch(`http://127.0.0.1:${monitor}${path}`)).status));

async function until(monitor: number, paths: readonly string[], wanted: readonly number[]): Promise<void> {
  while (String(await statusesOf(monitor, paths)) !== String(wanted)) await delay(100);
}

test('a NATS server whose two peers were killed stays alive and ready, because calls need no JetStream', async () => {
  for (const monitor of monitors) await until(monitor, probes, [200, 200, 200]);
  for (const member of members.slice(1)) process.kill(member.pid, 'SIGKILL');
  await until(monitors[0]!, ['/healthz'], [503]);
  expect(await statusesOf(monitors[0]!, probes.slice(1))).toEqual([200, 200]);
});
