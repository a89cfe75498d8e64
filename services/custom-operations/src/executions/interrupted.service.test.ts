import { setTimeout as delay } from 'node:timers/promises';
import { aMember } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { json, testCustomOperations } from '../test-support/test-custom-operations.ts';
import type { StoredExecution } from './stored-execution.ts';

const custom = testCustomOperations(0);

test('a write that ends its process waits longer each time, is named in a warning, and holds up no other', async () => {
  const member = aMember();
  const operation = custom.define(member.workspaceId);
  const write = (note: string) => custom.call(member, operation, { order: 1, note }, { key: note });
  const { db } = await custom.platform.database('custom-operations');
  const executions = db.collection<StoredExecution>('executions');
  const poisoned = { workspace_id: member.workspaceId, outcome: { $exists: false } };
  const waits: number[] = [];
  for (let crashes = 1; crashes <= 3; crashes++) {
    const replica = await custom.spawnReplica('sent');
    custom.answer = (response, received) =>
      received.body.includes('poison') ? replica.signal('SIGKILL') : json('{}')(response, received);
    expect((await write(`other ${crashes}`)).code).toBe('ok');
    // Its answer is lost; on a busy machine it may be refused before.
    const sent = () =>
      write('poison')
        .then(() => undefined)
        .catch(() => undefined);
    let ended: Awaited<typeof replica.exited> | undefined;
    while (ended === undefined) ended = await Promise.race([replica.exited, sent()]);
    expect(ended).toBe('SIGKILL');
    const { _id, lease } = (await executions.findOne(poisoned))!;
    waits.push(Math.round((lease!.until.getTime() - Date.now()) / (operation.timeoutMs + 2_000)));
    const isWarned = () => replica.lines.some((line) => line.includes(`"execution_id":"${_id}"`));
    // Its last lines may arrive after its end.
    while (crashes > 1 && !isWarned()) await delay(20);
    await executions.updateOne(poisoned, { $set: { 'lease.until': new Date(0) } });
  }
  expect(waits).toEqual([1, 2, 4]);
}, 120_000);
