import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(2);

type Payload = Record<string, number>;

/** A model of a Record: the part that callers see. */
interface Model {
  state: 'active' | 'archived' | 'deleted';
  revisions: { payload: Payload; created_by: string }[];
  /** The author of the last change. */
  updatedBy: string;
  /** The input of every key and the version it made. */
  keys: Map<string, { input: string; version: number }>;
}

interface Step {
  call: 'replace' | 'patch' | 'archive' | 'restore' | 'delete' | 'push again';
  payload: Payload;
  /** The expected version, relative to the current one; undefined for none. */
  expected: number | undefined;
  key: string | undefined;
  by: 'owner' | 'member';
}

const step: fc.Arbitrary<Step> = fc.record({
  call: fc.constantFrom('replace', 'replace', 'patch', 'patch', 'archive', 'restore', 'delete', 'push again'),
  payload: fc.dictionary(fc.constantFrom('a', '€', '$c'), fc.nat({ max: 3 }), { maxKeys: 2 }),
  expected: fc.constantFrom(undefined, undefined, 0, 0, -1, 1),
  key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
  by: fc.constantFrom('owner', 'member'),
});

/** The outcome of a step by the model: an error code, or the version and state in the answer. */
function applyTo(
  model: Model,
  { call, payload, key }: Step,
  expected: number | undefined,
  userId: string,
): string {
  const version = model.revisions.length;
  if (model.state === 'deleted') return call === 'delete' ? 'deleted' : 'record_not_found';
  if (call === 'push again') return '1 active';
  if (call === 'delete') {
    if (model.state === 'active') return 'record_not_archived';
    model.state = 'deleted';
    return 'deleted';
  }
  const changeTo = (state: Model['state']) => {
    if (model.state !== state) Object.assign(model, { state, updatedBy: userId });
    return `${version} ${state}`;
  };
  if (call === 'restore') return changeTo('active');
  const input = JSON.stringify([call, expected, Object.entries(payload).toSorted()]);
  const first = call === 'archive' || key === undefined ? undefined : model.keys.get(key);
  if (first !== undefined) return first.input === input ? `${first.version} active` : 'idempotency_conflict';
  if (expected !== undefined && expected !== version) return 'stale_version';
  if (call === 'archive') return changeTo('archived');
  if (model.state === 'archived') return 'record_archived';
  const made = call === 'replace' ? payload : { ...model.revisions.at(-1)?.payload, ...payload };
  model.revisions.push({ payload: made, created_by: userId });
  model.updatedBy = userId;
  if (key !== undefined) model.keys.set(key, { input, version: version + 1 });
  return `${version + 1} active`;
}

test('after any sequence of calls, the answers, history and usage of a Record agree with the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const workspace = await TestWorkspace.create(platform, { memberWrites: true });
      const { owner } = workspace;
      const first = (await workspace.push('{"a":0}', { idempotency_key: 'push' })).result.record;
      const { id } = first;
      const model: Model = {
        state: 'active',
        revisions: [{ payload: { a: 0 }, created_by: owner.userId }],
        updatedBy: owner.userId,
        keys: new Map(),
      };
      const madeAt = [first.created_at];

      const perform = ({ call, payload, key, by }: Step, expected_version: number | undefined) => {
        const more = { expected_version, idempotency_key: key };
        const as = workspace[by];
        if (call === 'replace') return workspace.replace(id, JSON.stringify(payload), more, as);
        if (call === 'patch') return workspace.patch(id, JSON.stringify(payload), more, as);
        if (call === 'archive') return workspace.archive(id, { expected_version }, as);
        if (call === 'push again') return workspace.push('{"a":0.0}', { idempotency_key: 'push' });
        return call === 'restore' ? workspace.restore(id, as) : workspace.delete(id);
      };
      for (const one of steps) {
        const wanted = one.expected === undefined ? undefined : model.revisions.length + one.expected;
        const expected = wanted === 0 ? undefined : wanted;
        const outcome = applyTo(model, one, expected, workspace[one.by].userId);
        const answer = await perform(one, expected);
        if (answer.status !== 200) {
          expect(answer.error.code).toBe(`record_store_${outcome}`);
        } else if ('deleted' in answer.result) {
          expect(outcome).toBe('deleted');
        } else {
          const { version, state, updated_at } = answer.result.record;
          expect(`${version} ${state}`).toBe(outcome);
          madeAt[version - 1] ??= updated_at;
          const { payload, created_by } = model.revisions[version - 1]!;
          const isReplay = answer.header('idempotent-replayed') === 'true';
          const updated_by = isReplay ? created_by : model.updatedBy;
          expect(answer.result.record).toEqual({ ...first, version, state, payload, updated_at, updated_by });
        }
      }

      const isDeleted = model.state === 'deleted';
      const history = await workspace.history(id);
      const kept = isDeleted ? [] : model.revisions;
      if (!isDeleted)
        expect(history.result.revisions).toEqual(
          kept.map((revision, index) => ({ version: index + 1, ...revision, created_at: madeAt[index] })),
        );
      else expect(history.error.code).toBe('record_store_record_not_found');
      const bytes = kept.reduce((sum, { payload }) => sum + Buffer.byteLength(JSON.stringify(payload)), 0);
      expect(await workspace.storedBytes()).toBe(bytes);
    }),
    { numRuns: 40 },
  );
});
