import { callService } from '@action-platform/bus';
import { type ActionError, authorize, busHeaders, grantRoutes } from '@action-platform/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { holder, inDays, outcomeOf, TestAuthority } from './test-support/test-authority.ts';

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

test('after a replica was killed while it created grants, callers repeat their creates: one grant for each key', async () => {
  const victim = await authority.platform.spawn('grants');
  const member = await authority.member();
  const bus = await authority.platform.connect('gateway');
  const headers = { [busHeaders.principal]: JSON.stringify(member) };
  const attempt = (idempotencyKey: string) => {
    const request = { operationScope: 'record_store.get_record', expiresAt, idempotencyKey };
    const options = { timeoutMs: LOST_AFTER_MS, headers };
    return callService(bus, grantRoutes.operation.create, request, options);
  };
  const expiresAt = inDays(30);
  const keys = Array.from({ length: 60 }, (_, index) => `key-${index}`);

  const first = keys.map((idempotencyKey) => outcomeOf(attempt(idempotencyKey)));
  await Promise.race(first);
  victim.signal('SIGKILL');
  await victim.exited;
  const repeatable = new Set(['action_infrastructure_failure', 'action_platform_unavailable']);
  expect(new Set(await Promise.all(first)).difference(repeatable).difference(new Set(['ok']))).toEqual(
    new Set(),
  );

  const untilCreated = async (key: string): ReturnType<typeof attempt> => {
    try {
      return await attempt(key);
    } catch (error) {
      if (repeatable.has((error as ActionError).code)) return await untilCreated(key);
      throw error;
    }
  };
  const again = await Promise.all(keys.map(untilCreated));
  expect(new Set(again.map(({ grant }) => grant.id)).size).toBe(keys.length);
  const { grants } = await authority.collections();
  expect(await grants.countDocuments({ workspace_id: member.workspaceId })).toBe(keys.length);
  const uses = again.map(({ secret }) =>
    outcomeOf(authority.authorize(holder({ secret: secret! }), 'record_store.get_record', 'run-1')),
  );
  expect(new Set(await Promise.all(uses))).toEqual(new Set(['ok']));
});
