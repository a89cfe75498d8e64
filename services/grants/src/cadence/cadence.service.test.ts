import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { holder, outcomeOf, refusal, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start({ replicas: 2 }));
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
