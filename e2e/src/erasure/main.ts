/**
 * Exports and erases a large Workspace while processes are killed: `npm run e2e -- erase --help`. Nothing of it may be left, and nothing of
 * another Workspace may change.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Demo, localDirectory } from '@action-platform/local';
import { send } from '../http.ts';
import { endWith, say } from '../on-a-stack.ts';
import { Operator } from '../operator.ts';
import { execute, RETRY_AFTER_MS, StackProcess } from '../stack-process.ts';
import { Receiver } from '../webhooks/receiver.ts';
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
  --kills 5           of the export, and of each service with much to erase during the erasure`);
  process.exit();
}

const RECORDS = Number(options.records);
const KILLS = Number(options.kills);
const OF_THE_OTHER = 200;
const CLIENTS = 64;
const VICTIMS = ['grants', 'record-store', 'events', 'audit'];
/** In every payload: what of a Workspace may be nowhere but in its service's database. */
const CONTENT = 'x'.repeat(100);

const stack = new StackProcess();
await endWith(stack, async () => {
  stack.environment.ERASURE_PAUSE_MS = '15000';
  stack.environment.AUDIT_WINDOW_MS = '1000';
  const { base_url, workspace_id: other, owner } = await stack.start();
  const operator = await Operator.of(stack);
  const workspace = await operator.workspace();
  const token = await operator.member(workspace, 'olga', 'owner');
  const [failing, working] = [
    await Receiver.start((_received, response) => response.writeHead(500).end()),
    await Receiver.start(),
  ];
  await addWebhook(base_url, token, failing);
  await addWebhook(base_url, owner.token, working);
  await timed(`${RECORDS} Records pushed`, () => push(base_url, token, RECORDS));
  await push(base_url, owner.token, OF_THE_OTHER);
  await working.until(({ length }) => length > OF_THE_OTHER);
  await delay(2_000);
  const untouched = await documentsOf(other);

  const file = join(stack.directory, 'export.ndjson');
  await timed(`exported, killed ${KILLS} times`, () => exportKilled(workspace, file));
  const ids = new Set<number>();
  const types: Record<string, number> = {};
  let lines = 0;
  for await (const line of createInterface(createReadStream(file))) {
    lines++;
    ok(!line.includes('whsec_'));
    const { type, data } = JSON.parse(line);
    types[type] = (types[type] ?? 0) + 1;
    if (type === 'record') ids.add(data.payload.index);
    if (type === 'end') equal(data.lines, lines - 1);
  }
  equal(ids.size, RECORDS);
  const { audit_block, ...others } = types;
  const once = { workspace: 1, member: 1, collection: 1, usage: 1, webhook_endpoint: 1, end: 1 };
  deepEqual(others, { ...once, record: RECORDS });
  ok(audit_block! > 0);

  const before = Map.groupBy(await documentsWith(stack.directory, workspace), (document) =>
    document.slice(0, document.indexOf(' ')),
  );
  say([...before].map(([collection, { length }]) => `${length} ${collection}`).join(', '));
  const deletion = await stack.admin('workspace', 'delete', '--workspace', workspace, '--grace-days', '0');
  const { erased_from } = deletion.workspace as { erased_from: string };
  await delay(Date.parse(erased_from) - Date.now());
  const killed = `${VICTIMS.join(', ')} killed ${KILLS} times each`;
  await timed(`erased, ${killed}`, () => eraseKilled(workspace));
  deepEqual(await documentsWith(stack.directory, workspace), []);
  const known = new Set(untouched);
  const now = await documentsOf(other);
  deepEqual(
    // The audit log goes on.
    now.filter((document) => !document.startsWith('audit.') || known.has(document)),
    untouched,
  );
  equal((await stack.admin('audit', 'verify', '--workspace', other)).valid, true);
  say('Nothing of the Workspace is left in the databases, and nothing of the other one has changed.');
  const { nats } = localDirectory({ LOCAL_DIR: stack.directory });
  ok(filesWith(nats, workspace).length > 0);
  deepEqual(filesWith(nats, CONTENT), []);
  say('The streams have ids of the Workspace until they expire, and no content.');
  failing.stop();
  working.stop();
  await operator.close();
  return true;
});

/** The documents of a Workspace, without those that the background changes. */
async function documentsOf(workspace: Demo['workspace_id']): Promise<string[]> {
  const documents = await documentsWith(stack.directory, workspace);
  return documents.filter(
    (document) => !/^(record-store\.usage|audit\.ends|events\.webhook_endpoints) /.test(document),
  );
}

/** The files below a folder that have this text. */
function filesWith(folder: string, text: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(text));
}

/** Has every event of a Workspace sent to a receiver. */
async function addWebhook(baseUrl: string, token: string, { url }: Receiver): Promise<void> {
  const request = { method: 'POST', path: '/api/v1/webhook-endpoints', token, body: JSON.stringify({ url }) };
  const { status, text } = await send(baseUrl, request);
  equal(status, 201, text);
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
      const payload = { index, text: CONTENT };
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
  const victims = Array.from({ length: KILLS }, () => VICTIMS).flat();
  for (;;) {
    await delay(500 + Math.random() * 1_000);
    const victim = victims.shift();
    for (const pid of victim === undefined ? [] : stack.pids(`services/${victim}/`))
      process.kill(pid, 'SIGKILL');
    const listed = await stack.admin('workspace', 'list').catch(() => undefined);
    const { workspaces } = (listed ?? {}) as { workspaces?: { workspace_id: string }[] };
    if (workspaces?.every(({ workspace_id }) => workspace_id !== workspace)) return;
  }
}
