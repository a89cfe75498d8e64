import { callService } from '@action-platform/bus';
import { authorize } from '@action-platform/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { holder, outcomeOf, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start());
afterAll(() => authority.stop());

/** The timeout of a call, also of one to the killed replica, in milliseconds. */
const LOST_AFTER_MS = 2000;

test('a replica killed while it counts leaves the count right, and callers can repeat its unanswered calls', async () => {
  const { platform } = authority;
  const victim = await platform.spawn('grants');
  const maximumCadence = { invocations: 60, periodSeconds: 3600 };
  const created = await authority.routineGrant(await authority.member(), { maximumCadence });
  const bus = await platform.connect('gateway');
  const call = (run: string) => {
    const input = { credential: holder(created), operation: 'record_store.get_record', invocationId: run };
    return outcomeOf(callService(bus, authorize, input, { timeoutMs: LOST_AFTER_MS }));
  };
  const runs = Array.from({ length: 100 }, (_, index) => `run-${index}`);

  const first = runs.map(call);
  await Promise.race(first);
  victim.signal('SIGKILL');
  await victim.exited;
  const outcomes = await Promise.all(first);
  const possible = new Set(['ok', 'grant_cadence_exceeded', 'action_platform_unavailable']);
  expect(new Set(outcomes).difference(possible)).toEqual(new Set());

  const again = await Promise.all(runs.map(call));
  expect(again.filter((outcome) => outcome === 'ok').length).toBe(60);
  expect(again.filter((outcome) => outcome === 'grant_cadence_exceeded').length).toBe(40);
  runs.forEach((_, index) => {
    if (outcomes[index] === 'ok') expect(again[index]).toBe('ok');
  });
});
