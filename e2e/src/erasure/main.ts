/**
 * Exports and erases a large Workspace while processes are killed: `npm run e2e -- erase --help`. Nothing of it may be left, and nothing of
 * another Workspace may change.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Demo } from '@action-platform/local';
import { endWith, say } from '../on-a-stack.ts';
import { Operator } from '../operator.ts';
import { execute, RETRY_AFTER_MS, StackProcess } from '../stack-process.ts';
import { documentsWith } from './stored-documents.ts';

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(`npm run e2e -- erase [options]

  --records 100000    of the Workspace
  --kills 5           of the export, and of grants and record-store during the erasure`);
  process.exit();
}

const RECORDS = Number(options.records);
const KILLS = Number(options.kills);
const OF_THE_OTHER = 200;
const CLIENTS = 64;

const stack = new StackProcess();
await endWith(stack, async () => {
  stack.environment.ERASURE_PAUSE_SECONDS = '2';
  stack.environment.AUDIT_WINDOW_MS = '1000';
  const { base_url, workspace_id: other, owner } = await stack.start();
  const operator = await Operator.of(stack);
  const workspace = await operator.workspace();
  const token = await operator.member(workspace, 'olga', 'owner');
  await timed(`${RECORDS} Records pushed`, () => push(base_url, token, RECORDS));
  await push(base_url, owner.token, OF_THE_OTHER);
  const untouched = await documentsOf(other);

  const file = join(stack.directory, 'export.ndjson');
  await timed(`exported, killed ${KILLS} times`, () => exportKilled(workspace, file));
  const ids = new Set<number>();
  let lines = 0;
  for await (const line of createInterface(createReadStream(file))) {
    lines++;
    const { type, data } = JSON.parse(line);
    if (type === 'record') ids.add(data.payload.index);
    if (type === 'end') equal(data.lines, lines - 1);
  }
  equal(ids.size, RECORDS);
  // The Workspace, its Owner, the Collection, the usage, the end.
  equal(lines, RECORDS + 5);

  await stack.admin('workspace', 'delete', '--workspace', workspace, '--grace-days', '0');
  await timed(`erased, grants and record-store killed ${KILLS} times each`, () => eraseKilled(workspace));
  deepEqual(await documentsWith(stack.directory, workspace), []);
  deepEqual(await documentsOf(other), untouched);
  say('Nothing of the Workspace is left, and nothing of the other one has changed.');
  await operator.close();
  return true;
});

/** The documents of a Workspace, without those that the background changes. */
async function documentsOf(workspace: Demo['workspace_id']): Promise<string[]> {
  const documents = await documentsWith(stack.directory, workspace);
  return documents.filter((document) => !/^(record-store\.usage |audit\.)/.test(document));
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const begunAt = performance.now();
  await work();
  say(`${what}: ${((performance.now() - begunAt) / 1000).toFixed(1)} s`);
}

/** Pushes Records to a new Collection; repeats calls whose outcome is unknown. */
async function push(baseUrl: string, token: string, count: number): Promise<void> {
  const settle = async (operation: string, input: object): Promise<Record<string, { id: string }>> => {
    for (;;) {
      const { status, body } = await execute(baseUrl, token, operation, input);
      if (status === 200) return body.result as never;
      await delay(RETRY_AFTER_MS);
    }
  };
  const { collection } = await settle('record_store.create_collection', { name: 'large' });
  let next = 0;
  const client = async () => {
    for (let index = next++; index < count; index = next++) {
      const payload = { index, text: 'x'.repeat(100) };
      await settle('record_store.push_record', {
        collection_id: collection!.id,
        payload,
        idempotency_key: `${index}`,
      });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** Kills the command at random moments, then lets it finish. */
async function exportKilled(workspace: string, file: string): Promise<void> {
  for (let kills = 0; ; kills++) {
    const args = ['deploy/admin/src/main.ts', 'workspace', 'export', '--workspace', workspace, '--to', file];
    const command = spawn(process.execPath, args, {
      env: { ...process.env, LOCAL_DIR: stack.directory },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(command, 'close');
    if (kills < KILLS) void delay(800 + Math.random() * 1_500).then(() => command.kill('SIGKILL'));
    const [code] = await ended;
    if (code === 0) return;
  }
}

/** Kills services in turn at random moments, until the Workspace is listed no more. */
async function eraseKilled(workspace: string): Promise<void> {
  const victims = Array.from({ length: KILLS }, () => ['services/grants/', 'services/record-store/']).flat();
  for (;;) {
    await delay(500 + Math.random() * 1_000);
    const victim = victims.shift();
    for (const pid of victim === undefined ? [] : stack.pids(victim)) process.kill(pid, 'SIGKILL');
    const listed = await stack.admin('workspace', 'list').catch(() => undefined);
    const { workspaces } = (listed ?? {}) as { workspaces?: { workspace_id: string }[] };
    if (workspaces?.every(({ workspace_id }) => workspace_id !== workspace)) return;
  }
}
