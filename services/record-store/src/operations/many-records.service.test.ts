import { targetsIn } from '@action-platform/contracts/audit';
import { busHeaders } from '@action-platform/contracts/bus';
import { getRecords, type PushOutcome, pushRecords } from '@action-platform/contracts/operations';
import { EventReader } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(2);

/** An item with a payload of this text. */
const item = (payload: string, key?: string) =>
  `{"payload":${payload}${key === undefined ? '' : `,"idempotency_key":"${key}"`}}`;
const call = (workspace: TestWorkspace, items: readonly string[], headers = {}) => {
  const body = `{"collection_id":"${workspace.collectionId}","items":[${items.join()}]}`;
  return platform.call(pushRecords, workspace.owner, body, { headers });
};
/** The outcomes in words: made, replayed, or the code of the error. */
const words = (outcomes: readonly PushOutcome[]) =>
  outcomes.map((each) => ('error' in each ? each.error.code : each.replayed ? 'replayed' : 'made'));
const idsOf = (outcomes: readonly PushOutcome[]) =>
  outcomes.flatMap((each) => ('record' in each ? [each.record.id] : []));

describe('record_store.push_records', () => {
  test('stores each item to the byte, in order, and replays it by its key alone, also by push_record', async () => {
    const workspace = await TestWorkspace.create(platform);
    const payloads = Array.from({ length: 100 }, (_, n) => `{ "n" : ${n}.0 }`);
    const items = payloads.map((payload, n) => item(payload, `row-${n}`));
    const { result, header } = await call(workspace, items);
    const ids = idsOf(result.outcomes);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(100);
    expect(targetsIn(header(busHeaders.targets))).toEqual([workspace.collectionId, ...ids]);
    const { text } = await workspace.list({ limit: 200 });
    expect(text.match(/\{ "n" : \d+\.0 \}/g)).toEqual(payloads);
    const again = (await call(workspace, items.toReversed())).result.outcomes;
    expect([new Set(words(again)), idsOf(again)]).toEqual([new Set(['replayed']), ids.toReversed()]);
    expect((await workspace.push('{"n":0.0}', { idempotency_key: 'row-0' })).result.record.id).toBe(ids[0]);
    expect(await workspace.storedBytes()).toBe(payloads.join('').length);
  });

  test('names itself in the event of each Record, which a push of one Record does not', async () => {
    const workspace = await TestWorkspace.create(platform);
    const reader = await EventReader.open(platform);
    await call(workspace, [item('{}'), item('{}')]);
    await workspace.pushed();
    await reader.until(workspace.owner.workspaceId, 4);
    const [, ...pushes] = await reader.read(workspace.owner.workspaceId);
    expect(pushes.map(({ data }) => data.operation_id)).toEqual([pushRecords.id, pushRecords.id, undefined]);
  });

  test('refuses an item alone, with the error of a push and the Record that it is about', async () => {
    const workspace = await TestWorkspace.create(platform);
    const taken = await workspace.pushed('{"a":1}', { idempotency_key: 'taken' });
    const gone = await workspace.pushed('{}', { idempotency_key: 'gone' });
    await workspace.archive(gone);
    await workspace.delete(gone);
    const { outcomes } = (
      await call(workspace, [
        item('{"a":2}', 'taken'),
        item('{"a":1,"a":2}'),
        item('{"b":{"c":"\\ud800"}}'),
        item('[]'),
        item(`{"a":"${'x'.repeat(300_000)}"}`),
        item('{"first":1}', 'twice'),
        item('{"first":2}', 'twice'),
        item('{ "first" : 1 }', 'twice'),
        item('{}', 'gone'),
        item('{}'),
      ])
    ).result;
    expect(words(outcomes)).toEqual([
      'record_store_idempotency_conflict',
      'record_store_invalid_payload',
      'record_store_invalid_payload',
      'record_store_invalid_payload',
      'record_store_payload_too_large',
      'made',
      'record_store_idempotency_conflict',
      'replayed',
      'record_store_record_not_found',
      'made',
    ]);
    expect(outcomes[0]).toMatchObject({ record_id: taken });
    expect(outcomes[2]).toMatchObject({ error: { message: expect.stringMatching(/^payload\.b\.c: /) } });
    expect(outcomes[6]).toMatchObject({ record_id: idsOf(outcomes)[0] });
    // A grant for pushes alone can take each step: the gateway limits only those of whole calls.
    for (const each of outcomes)
      expect('error' in each ? each.error.next : '').not.toMatch(/record_store[._]/);
    const { error, header } = await workspace.push('{"a":2}', { idempotency_key: 'taken' });
    expect([error.code, header(busHeaders.recordId)]).toEqual(['record_store_idempotency_conflict', taken]);
  });

  test.each([
    ['an item without a payload', '{"idempotency_key":"k"}', 'items[0].payload is required'],
    ['an item with another field', '{"payload":{},"key":"k"}', 'unknown fields'],
    ['an item with a field twice', '{"payload":{},"payload":{}}', 'same name'],
    ['no object', '7', 'items[0]'],
  ])('refuses the call for %s', async (_what, wrong, message) => {
    const workspace = await TestWorkspace.create(platform);
    const { error } = await call(workspace, [wrong, item('{}')]);
    expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(message) });
    expect((await workspace.list()).result.records).toEqual([]);
  });

  test('requires the key of each item where keys are required', async () => {
    const workspace = await TestWorkspace.create(platform);
    const required = { [busHeaders.keyRequired]: 'true' };
    const { error } = await call(workspace, [item('{}', 'k'), item('{}')], required);
    expect(error.message).toBe('items[1].idempotency_key is required.');
  });

  test('near the quota takes its items in their order, each as far as it fits', async () => {
    const workspace = await TestWorkspace.create(platform);
    const filler = `{"a":"${'x'.repeat(92)}"}`;
    await workspace.setQuota(250);
    const { outcomes } = (
      await call(workspace, [
        item(filler, '1'),
        item(filler, '2'),
        item(filler, '3'),
        item('{"b":1}', '4'),
        item(filler, '1'),
      ])
    ).result;
    expect(words(outcomes)).toEqual(['made', 'made', 'record_store_quota_exceeded', 'made', 'replayed']);
    expect(await workspace.storedBytes()).toBe(207);
  });

  test('keeps the quota exact while many callers push the same rows', async () => {
    const workspace = await TestWorkspace.create(platform);
    const rows = Array.from({ length: 50 }, (_, n) => item(`{"n":${n + 100}}`, `row-${n}`));
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(workspace, rows)));
    const made = answers.flatMap(({ result }) => words(result.outcomes)).filter((word) => word === 'made');
    expect(made).toHaveLength(50);
    expect(new Set(answers.map(({ result }) => idsOf(result.outcomes).join()))).toHaveProperty('size', 1);
    expect(await workspace.storedBytes()).toBe(50 * 9);
  });
});

describe('record_store.get_records', () => {
  test('returns Records in the order of their ids, and those that are missing', async () => {
    const workspace = await TestWorkspace.create(platform);
    const other = await TestWorkspace.create(platform);
    const [a, b] = [await workspace.pushed('{"n": 1.0}'), await workspace.pushed('{"n":2}')];
    await workspace.archive(b);
    const foreign = await other.pushed();
    const record_ids = [b, foreign, 'rec_none', a];
    const read = { collection_id: workspace.collectionId, record_ids };
    const { result, text } = await platform.call(getRecords, workspace.owner, read);
    expect(result.records.map(({ id, state }) => [id, state])).toEqual([
      [b, 'archived'],
      [a, 'active'],
    ]);
    expect(result).toMatchObject({ missing: [foreign, 'rec_none'], next: [] });
    expect(text).toContain('{"n": 1.0}');
    const twice = await platform.call(getRecords, workspace.owner, { ...read, record_ids: [a, a] });
    expect(twice.error.code).toBe('invalid_request');
  });

  test('stops at the byte budget of a page, and names the ids that it did not look at', async () => {
    const workspace = await TestWorkspace.create(platform);
    const large = `{"a":"${'x'.repeat(250_000)}"}`;
    const pushed: string[] = [];
    for (let n = 0; n < 10; n++) pushed.push(await workspace.pushed(large));
    const seen: string[] = [];
    for (let next = pushed; next.length > 0; ) {
      const read = { collection_id: workspace.collectionId, record_ids: next };
      const { result } = await platform.call(getRecords, workspace.owner, read);
      expect(result.records.length).toBeGreaterThan(0);
      expect(result.records.length).toBeLessThan(10);
      seen.push(...result.records.map(({ id }) => id));
      next = result.next;
    }
    expect(seen).toEqual(pushed);
  });
});
