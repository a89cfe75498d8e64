import { inBackground, newId } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Collection } from 'mongodb';
import { holder, outcomeOf, refusal, TestAuthority } from '../test-support/test-authority.ts';
import { Cadence } from './cadence.ts';
import type { StoredRun } from './stored-run.ts';

const authority = new TestAuthority();
let stored: Collection<StoredRun>;
beforeAll(async () => {
  await authority.start({ replicas: 2 });
  stored = (await authority.collections()).runs;
});
afterAll(() => authority.stop());

async function routineWith(maximumCadence: { invocations: number; periodSeconds: number }) {
  const created = await authority.routineGrant(await authority.member(), { maximumCadence });
  const call = (run: string, operation = 'record_store.get_record') =>
    authority.authorize(holder(created), operation, run);
  return { created, call };
}

const count = (outcomes: string[], wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;

describe('the cadence of a routine grant', () => {
  test('admits exactly its number of 200 concurrent runs on two replicas', async () => {
    const { created, call } = await routineWith({ invocations: 37, periodSeconds: 3600 });
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) => outcomeOf(call(`run-${index}`))),
    );
    expect(count(outcomes, 'ok')).toBe(37);
    expect(count(outcomes, 'grant_cadence_exceeded')).toBe(163);
    // Counted runs continue, and refused ones stay refused.
    const again = await Promise.all(
      Array.from({ length: 200 }, (_, index) => outcomeOf(call(`run-${index}`))),
    );
    expect(again).toEqual(outcomes);
    const { runs } = await authority.collections();
    expect(await runs.countDocuments({ grant_id: created.grant.id })).toBe(37);
  });

  test('counts a run with many concurrent calls once', async () => {
    const { created, call } = await routineWith({ invocations: 1, periodSeconds: 3600 });
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => outcomeOf(call('the-run'))));
    expect(new Set(outcomes)).toEqual(new Set(['ok']));
    expect(await outcomeOf(call('another-run'))).toBe('grant_cadence_exceeded');
    const { runs } = await authority.collections();
    expect(await runs.countDocuments({ grant_id: created.grant.id })).toBe(1);
  });

  test('refuses with 403 and the whole seconds until the window has room', async () => {
    const { call } = await routineWith({ invocations: 2, periodSeconds: 100 });
    await call('a');
    await call('b');
    const error = await refusal(call('c'));
    expect([error.code, error.status]).toEqual(['grant_cadence_exceeded', 403]);
    expect(Number.isInteger(error.retryAfter)).toBe(true);
    expect(error.retryAfter).toBeGreaterThan(60);
    expect(error.retryAfter).toBeLessThanOrEqual(100);
  });

  test('has room again once a run has left the window, and counts that run again', async () => {
    const { created, call } = await routineWith({ invocations: 2, periodSeconds: 100 });
    await call('a');
    await call('b');
    const { runs } = await authority.collections();
    const leftTheWindow = new Date(Date.now() - 100_000);
    await runs.updateOne({ grant_id: created.grant.id, invocation_id: 'a' }, { $set: { at: leftTheWindow } });
    expect(await outcomeOf(call('a'))).toBe('ok');
    expect(await outcomeOf(call('c'))).toBe('grant_cadence_exceeded');
    expect(await outcomeOf(call('b'))).toBe('ok');
  });

  test('does not count calls that are refused for another reason, nor discovery', async () => {
    const { created, call } = await routineWith({ invocations: 1, periodSeconds: 3600 });
    expect(await outcomeOf(call('a', 'record_store.list_records'))).toBe('grant_scope_exceeded');
    expect(await outcomeOf(call('b', 'record_store.no_such'))).toBe('unknown_operation');
    await authority.discover(holder(created));
    expect(await outcomeOf(call('c'))).toBe('ok');
  });

  test('accepts any run id that a header can contain', async () => {
    const { call } = await routineWith({ invocations: 4, periodSeconds: 3600 });
    for (const run of ['$where', 'a.b', '__proto__', ' ']) expect(await outcomeOf(call(run))).toBe('ok');
    expect(await outcomeOf(call('constructor'))).toBe('grant_cadence_exceeded');
    expect(await outcomeOf(call('__proto__'))).toBe('ok');
  });
});

const HOUR_MS = 3_600_000;

const cadences = fc.record({
  invocations: fc.integer({ min: 1, max: 4 }),
  periodSeconds: fc.integer({ min: 1, max: 20 }),
});

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');

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
        const grant = { grantId: newId('routineGrant'), cadence };
        let now = Date.now();
        for (const { passes, runs, deleted } of steps) {
          now += passes;
          await deleteExpired(grant.grantId, now, deleted);
          for (const run of runs) {
            expect(await counter.count(grant, run, new Date(now), inBackground)).toBe(model.count(run, now));
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
        const grant = { grantId: newId('routineGrant'), cadence };
        const now = new Date();
        const waits = await Promise.all(
          [first, second].flatMap((runs) => {
            const replica = new Cadence(stored);
            return runs.map(
              async (run) => [run, await replica.count(grant, run, now, inBackground)] as const,
            );
          }),
        );
        const passed = new Set(waits.filter(([, wait]) => wait === 0).map(([run]) => run));
        const entries = await stored.find({ grant_id: grant.grantId }).sort({ seq: 1 }).toArray();
        expect(passed.size).toBe(Math.min(cadence.invocations, new Set([...first, ...second]).size));
        expect(entries.map(({ invocation_id }) => invocation_id).toSorted()).toEqual([...passed].toSorted());
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
        for (const [run, wait] of waits)
          expect(wait).toBe(passed.has(run) ? 0 : cadence.periodSeconds * 1000);
      }),
      { numRuns: 25 },
    );
  });

  test('keeps an entry for an hour after it left the window', async () => {
    const grant = { grantId: newId('routineGrant'), cadence: { invocations: 1, periodSeconds: 60 } };
    const now = new Date();
    await new Cadence(stored).count(grant, 'run', now, inBackground);
    const entry = await stored.findOne({ grant_id: grant.grantId });
    expect(entry!.expires_at.getTime() - now.getTime()).toBe(60_000 + HOUR_MS);
  });

  test('keeps the order of time when the clock was set back', async () => {
    const counter = new Cadence(stored);
    const grant = { grantId: newId('routineGrant'), cadence: { invocations: 2, periodSeconds: 60 } };
    const now = Date.now();
    expect(await counter.count(grant, 'a', new Date(now), inBackground)).toBe(0);
    expect(await counter.count(grant, 'b', new Date(now - 5000), inBackground)).toBe(0);
    // Both stay in the window until the clock has caught up and a period has passed.
    expect(await counter.count(grant, 'c', new Date(now - 5000), inBackground)).toBe(65_000);
    expect(await counter.count(grant, 'c', new Date(now + 60_000), inBackground)).toBe(0);
  });
});

/** Deletes some or all expired entries in any order, as the TTL monitor may. */
async function deleteExpired(grantId: string, now: number, much: string): Promise<void> {
  const expired = await stored.find({ grant_id: grantId, expires_at: { $lte: new Date(now) } }).toArray();
  const deleted = expired.filter((_, index) => much === 'all' || (much === 'half' && index % 2 === 1));
  await stored.deleteMany({ _id: { $in: deleted.map(({ _id }) => _id) } });
}
