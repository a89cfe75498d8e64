import type { Principal } from '@action-platform/contracts/authority';
import { ExactJson } from '@action-platform/json';
import { expect, test } from '@jest/globals';
import { callDigest } from './call-digest.ts';

const principal: Principal = { workspaceId: 'ws_1', userId: 'ada', role: 'owner', connections: {} };
const call = { principal, operation: 'a.b', key: 'k', epoch: 1, text: '{"a":1}' };
const digestOf = (
  changes: Partial<Omit<typeof call, 'key'>> & { key?: string | undefined; revision?: number },
) => {
  const { text, epoch, ...rest } = { ...call, ...changes };
  return callDigest({ ...rest, input: new ExactJson(text) }, epoch);
};
const by = (changes: Partial<Principal>) => ({ principal: { ...principal, ...changes } });
const inRun = (invocationId: string) => by({ routine: { id: 'rgr_1', invocationId } });

test('one changed part of a call changes its digest', async () => {
  const others = [
    {},
    by({ workspaceId: 'ws_2' }),
    by({ userId: 'eve' }),
    by({ operationGrantId: 'ogr_1' }),
    inRun('run-1'),
    { operation: 'a.c' },
    { key: undefined },
    { key: 'K' },
    { revision: 1 },
    { revision: 2 },
    { epoch: 2 },
  ];
  const digests = await Promise.all(others.map(digestOf));
  expect(new Set(digests).size).toBe(others.length);
});

test('another run of a routine makes the same call', async () => {
  expect(await digestOf(inRun('run-2'))).toBe(await digestOf(inRun('run-1')));
});

test.each([
  ['{"a":1,"b":[1,2]}', '{ "b" : [1,2], "a" : 1.0 }'],
  ['{"a":"é"}', '{"a":"\\u00e9"}'],
  ['{"a":1}', '{"idempotency_key":"k","a":1}'],
])('%s is the same call as %s', async (one, other) => {
  expect(await digestOf({ text: one })).toBe(await digestOf({ text: other }));
});

test.each([
  ['{"a":12345678901234567890}', '{"a":12345678901234567891}'],
  ['{"a":"1"}', '{"a":1}'],
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ['{"a":null}', '{}'],
])('%s is another call than %s', async (one, other) => {
  expect(await digestOf({ text: one })).not.toBe(await digestOf({ text: other }));
});
