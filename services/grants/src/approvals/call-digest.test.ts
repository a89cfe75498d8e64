import type { Principal } from '@action-platform/contracts';
import { ExactJson } from '@action-platform/json';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { callDigest } from './call-digest.ts';

const principal: Principal = { workspaceId: 'ws_1', userId: 'ada', role: 'owner', connections: {} };

interface Call {
  readonly principal: Principal;
  readonly operation: string;
  readonly key: string | undefined;
  readonly text: string;
  readonly epoch: number;
}

const digestOf = ({ text, epoch, ...call }: Call) =>
  callDigest({ ...call, input: new ExactJson(text) }, epoch);

const value = fc.jsonValue({ maxDepth: 3 });
const input = fc.dictionary(
  fc.string({ minLength: 1 }).filter((name) => name !== 'idempotency_key'),
  value,
);
const calls: fc.Arbitrary<Call> = fc.record({
  principal: fc.record({
    workspaceId: fc.constantFrom('ws_1', 'ws_2'),
    userId: fc.constantFrom('ada', 'bob'),
    role: fc.constant('owner' as const),
    connections: fc.constant({}),
    operationGrantId: fc.constantFrom('ogr_1', 'ogr_2'),
  }),
  operation: fc.constantFrom('a.b', 'a.c'),
  key: fc.option(fc.string({ minLength: 1, maxLength: 3 }), { nil: undefined }),
  text: fc.oneof(input, fc.record({ n: fc.integer() })).map((object) => JSON.stringify(object)),
  epoch: fc.integer({ min: 1, max: 3 }),
});

/** The call in one fixed form, by another way than the digest. */
const identity = (call: Call) => JSON.stringify({ ...call, text: sorted(JSON.parse(call.text)) });

function sorted(of: unknown): unknown {
  if (Array.isArray(of)) return of.map(sorted);
  if (typeof of !== 'object' || of === null) return Object.is(of, -0) ? 0 : of;
  const members = Object.entries(of).map(([name, member]) => [name, sorted(member)] as const);
  return members.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

test('two calls have the same digest exactly when they have the same value', async () => {
  await fc.assert(
    fc.asyncProperty(calls, calls, async (one, other) => {
      const isSame = identity(one) === identity(other);
      expect((await digestOf(one)) === (await digestOf(other))).toBe(isSame);
    }),
    { numRuns: 500 },
  );
});

test('one changed part of a call changes its digest', async () => {
  await fc.assert(
    fc.asyncProperty(
      calls,
      fc.constantFrom('user', 'grant', 'operation', 'key', 'input', 'epoch'),
      async (call, part) => {
        const changed: Readonly<Record<typeof part, Call>> = {
          user: { ...call, principal: { ...call.principal, userId: 'eve' } },
          grant: { ...call, principal: { ...call.principal, operationGrantId: 'ogr_3' } },
          operation: { ...call, operation: 'a.d' },
          key: { ...call, key: `${call.key ?? ''}x` },
          input: { ...call, text: `{"_":${call.text}}` },
          epoch: { ...call, epoch: 4 },
        };
        expect(await digestOf(changed[part])).not.toBe(await digestOf(call));
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ['{"a":1,"b":[1,2]}', '{ "b" : [1,2], "a" : 1.0 }'],
  ['{"a":"é"}', '{"a":"\\u00e9"}'],
  ['{"a":1}', '{"idempotency_key":"k","a":1}'],
])('%s is the same call as %s', async (one, other) => {
  const call = { principal, operation: 'a.b', key: 'k', epoch: 1 };
  expect(await digestOf({ ...call, text: one })).toBe(await digestOf({ ...call, text: other }));
});

test.each([
  ['{"a":12345678901234567890}', '{"a":12345678901234567891}'],
  ['{"a":"1"}', '{"a":1}'],
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ['{"a":null}', '{}'],
])('%s is another call than %s', async (one, other) => {
  const call = { principal, operation: 'a.b', key: 'k', epoch: 1 };
  expect(await digestOf({ ...call, text: one })).not.toBe(await digestOf({ ...call, text: other }));
});
