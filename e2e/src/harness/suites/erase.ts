/** How long the erasure of a Workspace may take beside the kills, in milliseconds. */
const ERASED_WITHIN_MS = 900_000;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Receiver } from '@action-platform/testing';
import { LocalPlatform } from '../../local-platform.ts';
import { endWith, say } from '../../on-a-stack.ts';
import { checkErased, checkExport, type Erasure } from '../checkers/erasure.ts';
import { documentsWith } from '../evidence/stored-documents.ts';
import { kill } from '../faults/processes.ts';
import { entriesOf } from '../history.ts';
import { report, type Suite } from '../run.ts';
import type { Fixture } from '../workload/fixture.ts';
import { Load } from '../workload/load.ts';
import { makeFixture } from '../workload/make-fixture.ts';

const OF_THE_OTHER = 200;
const CLIENTS = 64;
const VICTIMS = ['grants', 'record-store', 'events', 'audit'];
/** In every payload: what of a Workspace may be nowhere but in its service's database. */
const CONTENT = '"base":';

/** Exports and erases a large Workspace while processes are killed. */
export const erase: Suite = {
  options: {
    records: ['100000', 'of the Workspace'],
    kills: ['5', 'of the export, and of each service with much to erase during the erasure'],
  },
  run: async (options) => {
    const kills = Number(options.kills);
    const platform = new LocalPlatform('', { ERASURE_PAUSE_MS: '15000', AUDIT_WINDOW_MS: '1000' });
    return await endWith(platform, async () => {
      await platform.start();
      const [failing, working] = [
        await Receiver.start((_received, response) => response.writeHead(500).end()),
        await Receiver.start(),
      ];
      const [leaving, other] = [
        await filled(platform, failing, Number(options.records)),
        await filled(platform, working, OF_THE_OTHER),
      ];
      await working.until(({ length }) => length > OF_THE_OTHER);
      await delay(2_000);
      const documentsOf = async () =>
        (await documentsWith(platform.directory, other.workspace)).filter(
          // The documents that background work changes.
          (text) => !/^(record-store\.usage|audit\.ends|events\.webhook_endpoints) /.test(text),
        );
      const before = await documentsOf();

      const file = join(platform.directory, 'export.ndjson');
      const exportKills = await timed('exported under kills', () =>
        exportKilled(platform.directory, leaving.workspace, file, kills),
      );
      const deletion = ['delete', '--workspace', leaving.workspace, '--grace-days', '0'];
      const { workspace } = await platform.admin('workspace', ...deletion);
      await delay(Date.parse(workspace.erased_from) - Date.now());
      const erasureKills = await timed(`erased under kills of ${VICTIMS.join(', ')}`, () =>
        eraseKilled(platform, leaving.workspace, kills),
      );
      say(`the export was killed ${exportKills} times, and services ${erasureKills} times`);

      const { nats } = platform.places;
      const erasure: Erasure = {
        exported: readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
        writes: new Set(entriesOf(leaving, 'push').map(({ action }) => action.key)),
        left: [
          ...(await documentsWith(platform.directory, leaving.workspace)),
          // Streams have ids until they expire.
          ...filesWith(nats, CONTENT),
        ],
        ...{ before, after: await documentsOf() },
      };
      const { valid } = await platform.admin('audit', 'verify', '--workspace', other.workspace);
      failing.stop();
      working.stop();
      return report([
        ...checkExport(erasure),
        ...checkErased(erasure),
        ...(exportKills === 0 ? ['the export was never killed'] : []),
        ...(erasureKills < VICTIMS.length ? [`only ${erasureKills} services were killed`] : []),
        ...(filesWith(nats, leaving.workspace).length > 0 ? [] : ['no stream had the Workspace']),
        ...(valid === true ? [] : ['the audit log of the other Workspace is not valid']),
      ]);
    });
  },
};

/** A Workspace with so many Records, whose events a receiver gets. */
async function filled(platform: LocalPlatform, { url }: Receiver, records: number): Promise<Fixture> {
  const fixture = await makeFixture(platform, platform.gateways[0]!);
  await fixture.session.json('POST', '/api/v1/webhook-endpoints', { url });
  await timed(`${records} Records pushed`, async () => {
    const load = new Load(fixture, { clients: CLIENTS, weights: { push: 1 }, seed: 1, sharesNoKey: true });
    while (fixture.acknowledged < records) await delay(100);
    await load.stop();
  });
  return fixture;
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const begunAt = performance.now();
  const result = await work();
  say(`${what}: ${((performance.now() - begunAt) / 1000).toFixed(1)} s`);
  return result;
}

/** The files below a folder that have this text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(text));
}

/** Kills the command at random moments, then lets it finish. @returns how often @throws Error when it ends in another way */
async function exportKilled(
  directory: string,
  workspace: string,
  file: string,
  times: number,
): Promise<number> {
  for (let kills = 0; ; kills++) {
    const args = ['deploy/admin/src/main.ts', 'workspace', 'export', '--workspace', workspace, '--to', file];
    const command = spawn(process.execPath, args, {
      env: { ...process.env, LOCAL_DIR: directory },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(command, 'close');
    if (kills < times) void delay(800 + Math.random() * 1_500).then(() => command.kill('SIGKILL'));
    const [code, signal] = await ended;
    if (code === 0) return kills;
    if (signal !== 'SIGKILL') throw new Error(`The export ended with ${code ?? signal}.`);
  }
}

/** Kills services in turn at random moments, until the Workspace is listed no more. @returns how many kills there were */
async function eraseKilled(platform: LocalPlatform, workspace: string, times: number): Promise<number> {
  const victims = Array.from({ length: times }, () => VICTIMS).flat();
  const end = performance.now() + ERASED_WITHIN_MS;
  for (let kills = 0; ; ) {
    if (performance.now() > end) throw new Error('The Workspace is not erased in time.');
    await delay(500 + Math.random() * 1_000);
    // A service that starts again has its turn later.
    const pids = platform.pids(`services/${victims[kills]}/`);
    kill(pids);
    if (pids.length > 0) kills++;
    const listed = await platform.admin('workspace', 'list').catch(() => undefined);
    if (listed?.workspaces.every((each: { workspace_id: string }) => each.workspace_id !== workspace))
      return kills;
  }
}
