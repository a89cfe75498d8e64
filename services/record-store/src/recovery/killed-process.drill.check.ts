import { randomUUID } from 'node:crypto';
import { busHeaders } from '@action-platform/bus';
import {
  archiveRecord,
  deleteRecord,
  type Operation,
  operationSubject,
  pushRecord,
  replaceRecord,
} from '@action-platform/contracts';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordStore } from '../service.ts';
import { CrashTraces } from '../test-support/crash-traces.ts';
import { TestWorkspace } from '../test-support/test-workspace.ts';

const platform = new TestPlatform();
beforeAll(() => platform.start(recordStore));
afterAll(() => platform.stop());

const payload = { a: 'some bytes' };

/** Calls an operation and returns its Record's id; undefined without an answer, or after a refusal. */
async function attempt(
  workspace: TestWorkspace,
  operation: Operation,
  input: object,
): Promise<string | undefined> {
  const gateway = await platform.connect('gateway');
  const body = JSON.stringify({ collection_id: workspace.collectionId, ...input });
  const principal = JSON.stringify(workspace.owner);
  const headers = { [busHeaders.requestId]: randomUUID(), [busHeaders.principal]: principal };
  try {
    const reply = await gateway.request(operationSubject(operation), body, { timeoutMs: 1_000, headers });
    const { result } = JSON.parse(Buffer.from(reply.body).toString());
    return result?.record?.id ?? result?.deleted?.id;
  } catch {
    return undefined;
  }
}

/** The bytes of the payloads in all histories. */
async function bytesInHistories(workspace: TestWorkspace): Promise<number> {
  const { records, next_cursor } = (await workspace.list({ state: 'all', limit: 200 })).result;
  expect(next_cursor).toBeNull();
  const histories = await Promise.all(records.map(({ id }) => workspace.history(id)));
  return histories
    .flatMap(({ result }) => result.revisions)
    .reduce((bytes, revision) => bytes + JSON.stringify(revision.payload).length, 0);
}

test('a replica killed during many writes loses no acknowledged write, and recovery leaves the usage right', async () => {
  const traces = await CrashTraces.open(platform);
  for (const acknowledgedBeforeKill of [20, 80]) {
    const workspace = await TestWorkspace.create(platform);
    const replica = await platform.spawn('record-store');
    const acknowledged = new Set<string>();
    const deleted = new Set<string>();
    let isAlive = true;
    const write = async (writer: number) => {
      for (let n = 0; isAlive && n < 20; n++) {
        const key = `${writer} ${n}`;
        const id = await attempt(workspace, pushRecord, { payload, idempotency_key: key });
        if (id === undefined) continue;
        acknowledged.add(id);
        if (acknowledged.size === acknowledgedBeforeKill) {
          replica.signal('SIGKILL');
          isAlive = false;
        }
        await attempt(workspace, replaceRecord, { record_id: id, payload });
        if (n % 2 === 0) continue;
        if ((await attempt(workspace, archiveRecord, { record_id: id })) === undefined) continue;
        deleted.add(id);
        await attempt(workspace, deleteRecord, { record_id: id });
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer)));
    await replica.exited;

    for (const id of acknowledged) {
      const { status } = await workspace.get(id);
      if (!deleted.has(id)) expect(status).toBe(200);
    }
    const bytes = await bytesInHistories(workspace);
    expect(await workspace.storedBytes()).toBe(bytes);
    await traces.recoverLater();
    const usage = await traces.usage.findOne({ _id: workspace.owner.workspaceId });
    expect(usage).toMatchObject({ stored_bytes: bytes, reservations: [] });
  }
}, 60_000);
