import { aMember } from '@action-platform/testing';
import { beforeEach, expect, test } from '@jest/globals';
import { json, testCustomOperations } from '../test-support/test-custom-operations.ts';

const custom = testCustomOperations(2, { WORKSPACE_CUSTOM_WRITES_PER_DAY_MAX: '8' });
beforeEach(() => {
  custom.answer = json('{}');
});

/** The codes of calls at once with these keys, each repeated until it is told. */
async function codesOf(keys: readonly string[], member: ReturnType<typeof aMember>): Promise<string[]> {
  const operation = custom.define(member.workspaceId);
  const codeOf = async (key: string): Promise<string> => {
    const { status, code } = await custom
      .call(member, operation, { order: 1 }, { key })
      .catch(() => ({ status: 502, code: '' }));
    return status < 500 ? code : await codeOf(key);
  };
  return await Promise.all(keys.map(codeOf));
}
const keys = (many: number) => Array.from({ length: many }, (_, n) => `${n}`);
const times = (many: number, code: string) => Array.from({ length: many }, () => code);

test('a Workspace gets exactly as many new keys in a day as it may, also at once', async () => {
  const expected = [...times(8, 'invalid_request'), ...times(8, 'ok')];
  expect((await codesOf(keys(16), aMember())).sort()).toEqual(expected);
});

test('equal calls at once use one key', async () => {
  const member = aMember();
  expect(await codesOf(times(8, 'equal'), member)).toEqual(times(8, 'ok'));
  expect(await codesOf(keys(7), member)).toEqual(times(7, 'ok'));
  expect(await codesOf(['one more'], member)).toEqual(['invalid_request']);
});

test('the keys that a version before has stored count, and those of another day do not', async () => {
  const member = aMember();
  expect(await codesOf(keys(8), member)).toEqual(times(8, 'ok'));
  const { db } = await custom.platform.database('custom-operations');
  const counts = db.collection<{ _id: string }>('key_counts');
  await counts.deleteOne({ _id: member.workspaceId });
  expect(await codesOf(['9'], member)).toEqual(['invalid_request']);
  await counts.updateOne({ _id: member.workspaceId }, { $set: { quarters: { q1: 8 } } });
  expect(await codesOf(['9'], member)).toEqual(['ok']);
});
