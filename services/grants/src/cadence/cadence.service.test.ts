import { inBackground } from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Collection } from 'mongodb';
import { holder, outcomeOf, refusal, testAuthority } from '../test-support/test-authority.ts';
import { Cadence } from './cadence.ts';
import type { StoredRun } from './stored-run.ts';

const authority = testAuthority({ replicas: 2 });
let stored: Collection<StoredRun>;
beforeAll(async () => {
  stored = (await authority.collections()).runs;
});

async function routineWith(maximumCadence: { invocations: number; periodSeconds: number }) {
  const created = await authority.routineGrant(await authority.member(), { maximumCadence });
  const call = (run: string, operation = 'record_store.get_record') =>
    authority.authorize(holder(created), operation, run);
  return { created, call };
}

const count = (outcomes: string[], wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;

/** Errors after which callers repeat a call: a busy replica sheds load, and a write may outlast the time of its call. */
const undecided = ['action_platform_unavailable', 'action_infrastructure_failure'];

/** The outcome of a call that its caller repeats until it is decided. */
async function decided(call: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const outcome = await outcomeOf(call());
    if (!undecided.includes(outcome)) return outcome;
  }
}

describe('the cadence of a routine grant', () => {
  test('admits exactly its number of 200 concurrent runs on two replicas', async () => {
    const { created, call } = await routineWith({ invocations: 37, periodSeconds: 3600 });
    const runs = Array.from({ length: 200 }, (_, index) => `run-${index}`);
    const callAll = () => Promise.all(runs.map((run) => decided(() => call(run))));
    // Several calls of a run count once.
    const [outcomes, others] = await Promise.all([callAll(), callAll()]);
    expect(others).toEqual(outcomes);
    expect(count(outcomes, 'ok')).toBe(37);
    expect(count(outcomes, 'grant_cadence_exceeded')).toBe(163);
    // Counted runs continue, and refused ones stay refused.
    expect(await callAll()).toEqual(outcomes);
    expect(await stored.countDocuments({ grant_id: created.grant.id })).toBe(37);
  });

  test('refuses with 403, the runs that count, and the whole seconds until the window has room', async () => {
    const { created, call } = await routineWith({ invocations: 2, periodSeconds: 100 });
    await call('a "quoted" run');
    await call('b');
    const error = await refusal(call('c'));
    expect([error.code, error.status]).toEqual(['grant_cadence_exceeded', 403]);
    const counted = await stored.find({ grant_id: created.grant.id }, { sort: { seq: 1 } }).toArray();
    const [a, b] = counted.map(({ at }) => new Date(at.getTime() + 100_000).toISOString());
    expect(error.message).toBe(
      `The grant has reached its maximum cadence of 2 runs in 100 s. Counted runs: "a \\"quoted\\" run" until ${a}, "b" until ${b}.`,
    );
    expect(Number.isInteger(error.retryAfter)).toBe(true);
    expect(error.retryAfter).toBeGreaterThan(60);
    expect(error.retryAfter).toBeLessThanOrEqual(100);
  });

  test('names the ten runs of many that leave the window first', async () => {
    const { call } = await routineWith({ invocations: 12, periodSeconds: 3600 });
    for (let run = 1; run <= 12; run++) await call(`run-${run}`);
    const { message } = await refusal(call('run-13'));
    const named = [...message.matchAll(/"(run-\d+)"/g)].map(([, run]) => run);
    expect(named).toEqual(Array.from({ length: 10 }, (_, index) => `run-${index + 1}`));
    expect(message).toMatch(/, 2 more later\.$/);
  });

  test('does not count calls that are refused for another reason, nor discovery', async () => {
    const { created, call } = await routineWith({ invocations: 1, periodSeconds: 3600 });
    expect(await outcomeOf(call('a', 'record_store.list_records'))).toBe('grant_scope_exceeded');
    expect(await outcomeOf(call('b', 'record_store.no_such'))).toBe('unknown_operation');
    await authority.discover(holder(created));
    expect(await outcomeOf(call('c'))).toBe('ok');
  });
});

const member = { workspaceId: 'ws_1', userId: 'ada' };
const HOUR_MS = 3_600_000;

const cadences = fc.record({
  invocations: fc.integer({ min: 1, max: 4 }),
  periodSeconds: fc.integer({ min: 1, max: 20 }),
});

const ids = fc.constantFrom('a', 'b', 'c', ' ', '$where', 'a.b', '__proto__', 'constructor');

/** A model of counting. */
class Model {
  readonly #counted: { id: string; at: number }[] = [];
  readonly #max: number;
  readonly #period: number;

  constructor(cadence: { invocations: number; periodSeconds: number }) {
    this.#max = cadence.invocations;
    this.#period = cadence.periodSeconds * 1000;
  }

  /** 0 when the run is counted, otherwise the milliseconds until the window has room. */
  count(id: string, now: number): number {
    const window = this.#counted.filter(({ at }) => at > now - this.#period);
    if (window.some((run) => run.id === id)) return 0;
    if (window.length >= this.#max) return window.at(-this.#max)!.at + this.#period - now;
    this.#counted.push({ id, at: now });
    return 0;
  }
}

describe('counting runs', () => {
  test('agrees with the model, also when the database has deleted expired entries', async () => {
    const step = fc.record({
      passes: fc.oneof(fc.integer({ min: 0, max: 25_000 }), fc.constant(HOUR_MS), fc.constant(2 * HOUR_MS)),
      runs: fc.array(ids, { minLength: 1, maxLength: 5 }),
      deleted: fc.constantFrom('nothing', 'half', 'all'),
    });
    await fc.assert(
      fc.asyncProperty(cadences, fc.array(step, { maxLength: 8 }), async (cadence, steps) => {
        const counter = new Cadence(stored);
        const model = new Model(cadence);
        const grant = { ...member, grantId: newId('routineGrant'), cadence };
        let now = Date.now();
        for (const { passes, runs, deleted } of steps) {
          now += passes;
          await deleteExpired(grant.grantId, now, deleted);
          for (const run of runs) {
            const full = await counter.count(grant, run, new Date(now), inBackground);
            expect(full?.waitMs ?? 0).toBe(model.count(run, now));
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  test('counts no more than allowed, and no run twice, when replicas count the same bursts concurrently', async () => {
    const burst = fc.array(ids, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cadences, burst, burst, async (cadence, first, second) => {
        const grant = { ...member, grantId: newId('routineGrant'), cadence };
        const now = new Date();
        const answers = await Promise.all(
          [first, second].flatMap((runs) => {
            const replica = new Cadence(stored);
            return runs.map(
              async (run) => [run, await replica.count(grant, run, now, inBackground)] as const,
            );
          }),
        );
        const passed = new Set(answers.filter(([, full]) => full === undefined).map(([run]) => run));
        const entries = await stored.find({ grant_id: grant.grantId }).sort({ seq: 1 }).toArray();
        expect(passed.size).toBe(Math.min(cadence.invocations, new Set([...first, ...second]).size));
        expect(entries.map(({ invocation_id }) => invocation_id).toSorted()).toEqual([...passed].toSorted());
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
        for (const [run, full] of answers)
          expect(full?.waitMs ?? 0).toBe(passed.has(run) ? 0 : cadence.periodSeconds * 1000);
      }),
      { numRuns: 25 },
    );
  });

  test('counts no more than allowed when the last entry is due for deletion while a replica appends', async () => {
    const grant = {
      ...member,
      grantId: newId('routineGrant'),
      cadence: { invocations: 2, periodSeconds: 60 },
    };
    const now = Date.now();
    const count = (run: string, runs = stored) =>
      new Cadence(runs).count(grant, run, new Date(now), inBackground);
    await new Cadence(stored).count(grant, 'old', new Date(now - 60_000 - HOUR_MS), inBackground);
    const [appends, isReleased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = new Proxy(stored, {
      get: (collection, name: keyof Collection<StoredRun>) =>
        name !== 'insertMany'
          ? collection[name]
          : async (...inserted: Parameters<Collection<StoredRun>['insertMany']>) => {
              appends.resolve();
              await isReleased.promise;
              return await collection.insertMany(...inserted);
            },
    });
    const first = count('a', held);
    await appends.promise;
    await deleteExpired(grant.grantId, now, 'all');
    expect(await count('b')).toBeUndefined();
    isReleased.resolve();
    expect(await first).toBeUndefined();
    expect(await count('c')).toMatchObject({ waitMs: 60_000 });
  });

  test('keeps an entry for an hour after it left the window', async () => {
    const grant = {
      ...member,
      grantId: newId('routineGrant'),
      cadence: { invocations: 1, periodSeconds: 60 },
    };
    const now = new Date();
    await new Cadence(stored).count(grant, 'run', now, inBackground);
    const entry = await stored.findOne({ grant_id: grant.grantId });
    expect(entry!.expires_at.getTime() - now.getTime()).toBe(60_000 + HOUR_MS);
  });
});

/** Deletes some or all expired entries in any order, as the TTL monitor may. */
async function deleteExpired(grantId: string, now: number, much: string): Promise<void> {
  const expired = await stored.find({ grant_id: grantId, expires_at: { $lte: new Date(now) } }).toArray();
  const deleted = expired.filter((_, index) => much === 'all' || (much === 'half' && index % 2 === 1));
  await stored.deleteMany({ _id: { $in: deleted.map(({ _id }) => _id) } });
}
