import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(2);

type Payload = Record<string, number>;

/** A model of a Record: the part that callers see. */
interface Model {
  state: 'active' | 'archived' | 'deleted';
  revisions: Payload[];
  /** The input of every key and the version it made. */
  keys: Map<string, { input: string; version: number }>;
}

interface Step {
  call: 'replace' | 'patch' | 'archive' | 'restore' | 'delete' | 'push again';
  payload: Payload;
  /** The expected version, relative to the current one; undefined for none. */
  expected: number | undefined;
  key: string | undefined;
}

const step: fc.Arbitrary<Step> = fc.record({
  call: fc.constantFrom('replace', 'replace', 'patch', 'patch', 'archive', 'restore', 'delete', 'push again'),
  payload: fc.dictionary(fc.constantFrom('a', 'b', '$c'), fc.nat({ max: 3 }), { maxKeys: 2 }),
  expected: fc.constantFrom(undefined, undefined, 0, 0, -1, 1),
  key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
});

/** The outcome of a step by the model: an error code, or the version and state in the answer. */
function applyTo(model: Model, { call, payload, key }: Step, expected: number | undefined): string {
  const version = model.revisions.length;
  if (model.state === 'deleted') return call === 'delete' ? 'deleted' : 'record_not_found';
  if (call === 'push again') return '1 active';
  if (call === 'delete') {
    if (model.state === 'active') return 'record_not_archived';
    model.state = 'deleted';
    return 'deleted';
  }
  if (call === 'restore') {
    model.state = 'active';
    return `${version} active`;
  }
  const input = JSON.stringify([call, expected, Object.entries(payload).toSorted()]);
  const first = call === 'archive' || key === undefined ? undefined : model.keys.get(key);
  if (first !== undefined) return first.input === input ? `${first.version} active` : 'idempotency_conflict';
  if (expected !== undefined && expected !== version) return 'stale_version';
  if (call === 'archive') {
    model.state = 'archived';
    return `${version} archived`;
  }
  if (model.state === 'archived') return 'record_archived';
  model.revisions.push(call === 'replace' ? payload : { ...model.revisions.at(-1), ...payload });
  if (key !== undefined) model.keys.set(key, { input, version: version + 1 });
  return `${version + 1} active`;
}

test('after any sequence of calls, the answers, history and usage of a Record agree with the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const workspace = await TestWorkspace.create(platform);
      const id = await workspace.pushed('{"a":0}', { idempotency_key: 'push' });
      const model: Model = { state: 'active', revisions: [{ a: 0 }], keys: new Map() };

      const perform = ({ call, payload, key }: Step, expected_version: number | undefined) => {
        const more = { expected_version, idempotency_key: key };
        if (call === 'replace') return workspace.replace(id, JSON.stringify(payload), more);
        if (call === 'patch') return workspace.patch(id, JSON.stringify(payload), more);
        if (call === 'archive') return workspace.archive(id, { expected_version });
        if (call === 'push again') return workspace.push('{"a":0.0}', { idempotency_key: 'push' });
        return call === 'restore' ? workspace.restore(id) : workspace.delete(id);
      };
      for (const one of steps) {
        const wanted = one.expected === undefined ? undefined : model.revisions.length + one.expected;
        const expected = wanted === 0 ? undefined : wanted;
        const outcome = applyTo(model, one, expected);
        const answer = await perform(one, expected);
        if (answer.status !== 200) {
          expect(answer.error.code).toBe(`record_store_${outcome}`);
        } else if ('deleted' in answer.result) {
          expect(outcome).toBe('deleted');
        } else {
          const { version, state, payload } = answer.result.record;
          expect(`${version} ${state}`).toBe(outcome);
          expect(payload).toEqual(model.revisions[version - 1]);
        }
      }

      const isDeleted = model.state === 'deleted';
      const history = await workspace.history(id);
      const kept = isDeleted ? [] : model.revisions;
      if (!isDeleted) expect(history.result.revisions.map(({ payload }) => payload)).toEqual(kept);
      else expect(history.error.code).toBe('record_store_record_not_found');
      const bytes = kept.reduce((sum, payload) => sum + JSON.stringify(payload).length, 0);
      expect(await workspace.storedBytes()).toBe(bytes);
    }),
    { numRuns: 40 },
  );
});
