/**
 * Clients of several users share request ids while gateways are killed: each stored write has one entry of the audit log, with its own
 * user and targets. `npm run e2e -- request-ids`; WRITES=100000 makes more.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type AuditEntry, createCollection, pushRecord } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { untilWell } from '@action-platform/testing';
import { MongoClient } from 'mongodb';
import { send } from '../http.ts';
import { endWith, say } from '../on-a-stack.ts';
import { Operator } from '../operator.ts';
import { StackProcess } from '../stack-process.ts';

const WRITES = Number(process.env.WRITES ?? 10_000);
const KILLS = 20;
const REQUEST_IDS = 10;
const USERS = 4;
const CLIENTS = 8;
const SHOWN = 20;
/** How long a change waits for its entry, and how long the log may take to be complete, in milliseconds. */
const WINDOW_MS = 10_000;
const COMPLETE_MS = 120_000;

const stack = new StackProcess();
Object.assign(stack.environment, { AUDIT_WINDOW_MS: String(WINDOW_MS) });
await endWith(stack, async () => {
  const demo = await stack.start('--replicas', 'gateway=2');
  const operator = await Operator.of(stack);
  const tokens = await Promise.all(
    Array.from({ length: USERS }, (_, n) => operator.member(demo.workspace_id, `user-${n}`, 'owner')),
  );
  await operator.close();
  const call = (token: string, operation: string, input: object, client = 0, requestId = 'setup') =>
    send(demo.gateways[client % demo.gateways.length]!, {
      method: 'POST',
      path: `/api/v1/operations/${operation}`,
      token,
      headers: { 'x-request-id': requestId },
      body: JSON.stringify(input),
    }).catch(() => undefined);
  const created = await call(tokens[0]!, createCollection.id, { name: 'shared' });
  const collection_id = JSON.parse(created!.text).result.collection.id as string;

  const acknowledged = new Set<string>();
  let [unanswered, kills] = [0, 0];
  const kill = async () => {
    for (; kills < KILLS; kills++) {
      await untilWell(demo.gateways);
      const next = acknowledged.size + WRITES / KILLS / 2;
      while (acknowledged.size < next) await delay(20);
      process.kill(stack.pids('services/gateway/')[kills % 2]!, 'SIGKILL');
    }
  };
  const client = async (number: number) => {
    for (let n = 0; acknowledged.size < WRITES || kills < KILLS; n++) {
      const input = { collection_id, payload: {} };
      const token = tokens[number % USERS]!;
      const answer = await call(token, pushRecord.id, input, number, `import-${n % REQUEST_IDS}`);
      if (answer?.status === 200) acknowledged.add(JSON.parse(answer.text).result.record.id);
      else {
        unanswered += answer === undefined || answer.status === 502 ? 1 : 0;
        await delay(50);
      }
    }
  };
  await Promise.all([kill(), ...Array.from({ length: CLIENTS }, (_, number) => client(number))]);
  await untilWell(demo.gateways);

  const stored = await storedWrites();
  const until = performance.now() + COMPLETE_MS;
  let entries = await entriesOf(demo);
  while (entries.length < stored.length && performance.now() < until) {
    await delay(1_000);
    entries = await entriesOf(demo);
  }
  // Entries that nobody expects would come now.
  await delay(2 * WINDOW_MS);
  entries = await entriesOf(demo);
  const told = entries.filter(({ answered }) => !answered).length;
  say(`${acknowledged.size} acknowledged, ${unanswered} unanswered, ${stored.length} stored; ${kills} kills`);
  say(`${entries.length} entries, ${told} of them without an answer, of ${REQUEST_IDS} request ids`);
  const violations = violationsIn(stored, acknowledged, entries);
  for (const violation of violations.slice(0, SHOWN)) say(`VIOLATION: ${violation}`);
  say(`${violations.length} violations`);
  return violations.length === 0;
});

/** A Record, as its document tells of the push. */
interface Stored {
  readonly _id: string;
  readonly collection_id: string;
  readonly commit: { readonly user_id: string; readonly request_id: string };
}

async function storedWrites(): Promise<Stored[]> {
  const database = await new MongoClient(stack.databaseUrl('record-store')).connect();
  try {
    return await database.db('record-store').collection<Stored>('records').find().toArray();
  } finally {
    await database.close();
  }
}

/** The entries of pushes. */
async function entriesOf({ base_url, owner }: Demo): Promise<AuditEntry[]> {
  const path = `/api/v1/audit/entries?code=ok&operation_id=${pushRecord.id}`;
  const { status, text } = await send(base_url, { method: 'GET', path, token: owner.token });
  if (status !== 200) throw new Error(`The audit log was not exported: ${status} ${text}`);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AuditEntry);
}

function violationsIn(
  stored: readonly Stored[],
  acknowledged: ReadonlySet<string>,
  entries: readonly AuditEntry[],
): string[] {
  const found: string[] = [];
  const entriesOfRecord = Map.groupBy(entries, ({ targets }) => targets[1]);
  const known = new Set(stored.map(({ _id }) => _id));
  for (const id of acknowledged) if (!known.has(id)) found.push(`${id} was acknowledged, and is not stored`);
  for (const { _id, collection_id, commit } of stored) {
    const own = entriesOfRecord.get(_id) ?? [];
    const expected = `${commit.user_id} ${commit.request_id} ${[collection_id, _id]}`;
    const isRight =
      own.map((entry) => `${entry.user_id} ${entry.request_id} ${entry.targets}`).join() === expected;
    if (!isRight) found.push(`the write of ${expected} has the entries ${JSON.stringify(own)}`);
  }
  for (const entry of entries)
    if (entry.targets.length !== 2 || !known.has(entry.targets[1]!))
      found.push(`the entry ${JSON.stringify(entry)} tells of no write`);
  return found;
}
