import { setMemberRole } from '@action-platform/contracts/calls';
import { type createdGrant, grantRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { aRoutine, holder, inDays, outcomeOf, testAuthority, who } from '../test-support/test-authority.ts';

const authority = testAuthority({ replicas: 2 });

type CreatedGrant = z.output<typeof createdGrant>;

const OPERATION = 'record_store.get_record';
const expiresAt = inDays(30);
const key = 'nightly-import';

const requests = {
  operation: { operationScope: OPERATION, expiresAt },
  routine: { ...aRoutine, expiresAt },
};

const create = (member: SessionClaims, changes: object = {}): Promise<CreatedGrant> =>
  authority.manage(member, grantRoutes.operation.create, {
    ...requests.operation,
    idempotencyKey: key,
    ...changes,
  });
const createRoutine = (member: SessionClaims, changes: object = {}): Promise<CreatedGrant> =>
  authority.manage(member, grantRoutes.routine.create, {
    ...requests.routine,
    idempotencyKey: key,
    ...changes,
  });

const outcomeOfRun = ({ secret }: CreatedGrant, run: string) =>
  outcomeOf(authority.authorize(holder({ secret: secret! }), OPERATION, run));
const outcomeWith = (answer: CreatedGrant) => outcomeOfRun(answer, 'run-1');
const countOf = async ({ workspaceId }: SessionClaims) =>
  await (await authority.collections()).grants.countDocuments({ workspace_id: workspaceId });
describe.each([
  ['operation', create],
  ['routine', createRoutine],
] as const)('creating a grant of the kind %s again with its idempotency key', (kind, make) => {
  test('answers the same grant with a new secret while none was used, and the earlier one stops', async () => {
    const member = await authority.member();
    const first = await make(member);
    const again = await make(member);
    expect(again.secret).not.toBe(first.secret);
    expect(again.grant).toEqual({ ...first.grant, secretHint: again.secret!.slice(-4) });
    expect(await outcomeWith(first)).toBe('invalid_token');
    expect(await outcomeWith(again)).toBe('ok');
    expect(await countOf(member)).toBe(1);
  });

  test.each([
    ['a call', (first: CreatedGrant) => outcomeWith(first)],
    ['discovery', (first: CreatedGrant) => outcomeOf(authority.discover(holder({ secret: first.secret! })))],
  ])('answers the same grant without a secret once %s used it, and changes nothing', async (_what, use) => {
    const member = await authority.member();
    const first = await make(member);
    expect(await use(first)).toBe('ok');
    const { grants } = await authority.collections();
    const before = await grants.findOne({ _id: first.grant.id });
    const lastUsedAt = before!.last_used_at!.toISOString();
    for (let i = 0; i < 2; i++) expect(await make(member)).toEqual({ grant: { ...first.grant, lastUsedAt } });
    expect(await grants.findOne({ _id: first.grant.id })).toEqual(before);
    expect(await outcomeWith(first)).toBe('ok');
  });

  test('and a concurrent first use: one of both succeeds, and one secret works', async () => {
    const once = { maximumCadence: { invocations: 1, periodSeconds: 3600 } };
    // first-use.service.test.ts has each of both orders.
    for (let round = 0; round < 4; round++) {
      const member = await authority.member();
      const changes = kind === 'routine' ? once : {};
      const first = await make(member, changes);
      const [outcome, again] = await Promise.all([outcomeWith(first), make(member, changes)]);
      const [kept, stopped] = again.secret === undefined ? [first, undefined] : [again, first];
      expect(outcome).toBe(stopped === undefined ? 'ok' : 'invalid_token');
      // A refused use counted no run.
      expect(await outcomeOfRun(kept, stopped === undefined ? 'run-1' : 'run-2')).toBe('ok');
      if (stopped !== undefined) expect(await outcomeWith(stopped)).toBe('invalid_token');
    }
  });

  test('many times concurrently makes one grant; of its secrets the last one written works', async () => {
    const member = await authority.member();
    const answers = await Promise.all(Array.from({ length: 20 }, () => make(member)));
    expect(new Set(answers.map(({ grant }) => grant.id)).size).toBe(1);
    expect(new Set(answers.map(({ secret }) => secret)).size).toBe(20);
    expect(await countOf(member)).toBe(1);
    const outcomes = await Promise.all(answers.map(outcomeWith));
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'invalid_token'), 'ok']);
    const { grants } = await authority.manage(member, grantRoutes[kind].list, {});
    const working = answers[outcomes.indexOf('ok')]!;
    expect(grants.map(({ id, secretHint }) => [id, secretHint])).toEqual([
      [working.grant.id, working.secret!.slice(-4)],
    ]);
  });

  test('keeps the secret when the deadline of the caller has passed, and says that it is a repeat', async () => {
    const input = JSON.stringify({ ...requests[kind], idempotencyKey: key });
    let first: Awaited<ReturnType<typeof make>>;
    let outcome: string;
    do {
      const member = await authority.member();
      first = await make(member);
      outcome = await outcomeOf(authority.reply(member, grantRoutes[kind].create, input, 0));
      // A call that is answered within the millisecond is not late, so the test tries again.
    } while (outcome === 'ok');
    expect(outcome).toBe('action_infrastructure_failure');
    for (let i = 0; i < 5; i++) expect(await outcomeWith(first)).toBe('ok');
    const other = await authority.member();
    const isReplay = async () =>
      (await authority.reply(other, grantRoutes[kind].create, input)).header('idempotent-replayed');
    expect([await isReplay(), await isReplay()]).toEqual(['', 'true']);
  });

  test('with other input is refused and changes nothing, also concurrently', async () => {
    const member = await authority.member();
    const first = await make(member);
    for (const changes of [{ name: 'other' }, { expiresAt: inDays(31) }]) {
      expect(await outcomeOf(make(member, changes))).toBe('grant_idempotency_conflict');
    }
    expect(await outcomeWith(first)).toBe('ok');
    const names = Array.from({ length: 10 }, (_, index) => `name-${index}`);
    const race = names.map((name) => outcomeOf(make(member, { name, idempotencyKey: 'race' })));
    const outcomes = (await Promise.all(race)).toSorted();
    expect(outcomes).toEqual([...Array.from({ length: 9 }, () => 'grant_idempotency_conflict'), 'ok']);
    expect(await countOf(member)).toBe(2);
  });

  test.each<
    [what: string, status: string, code: string, end: (member: SessionClaims, id: string) => Promise<unknown>]
  >([
    ['expired', 'expired', 'grant_expired', (_member, id) => authority.expire(id)],
    [
      'was revoked',
      'revoked',
      'grant_revoked',
      (member, id) => authority.manage(member, grantRoutes[kind].revoke, { id }),
    ],
    [
      'has an earlier role',
      'stopped',
      'grant_role_changed',
      async (member) => {
        await authority.admin(setMemberRole, { ...who(member), role: 'owner' });
        await authority.admin(setMemberRole, { ...who(member), role: 'member', force: true });
      },
    ],
  ])('does not revive one that %s', async (_what, status, code, end) => {
    const member = await authority.member();
    const first = await make(member);
    await end(member, first.grant.id);
    const again = await make(member);
    expect([again.grant.id, again.grant.status]).toEqual([first.grant.id, status]);
    expect(await outcomeWith(again)).toBe(code);
    expect(await outcomeWith(first)).toBe('invalid_token');
    expect(await outcomeWith(await make(member, { idempotencyKey: 'another' }))).toBe('ok');
  });
});

describe('an idempotency key of a create', () => {
  test('belongs to one Member of one Workspace and one kind of grant', async () => {
    const member = await authority.member();
    const colleague = await authority.member({ workspace: member.workspaceId, role: 'owner' });
    const elsewhere = await authority.member();
    const made = [
      await create(member),
      await create(colleague),
      await create(elsewhere),
      await createRoutine(member),
    ];
    expect(new Set(made.map(({ grant }) => grant.id)).size).toBe(4);
    expect(await Promise.all(made.map(outcomeWith))).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  test('compares requests by value', async () => {
    const member = await authority.member();
    const first = await createRoutine(member);
    const backwards = Object.fromEntries(
      Object.entries({ ...aRoutine, expiresAt, idempotencyKey: key }).reverse(),
    );
    const text = JSON.stringify(backwards, null, 2);
    expect(await authority.outcomeOfBody(member, grantRoutes.routine.create, text)).toBe('ok');
    expect(await countOf(member)).toBe(1);
    for (const changes of [
      { data: { ...aRoutine.data, fileScopes: ['company'] } },
      { operations: aRoutine.operations.slice(0, 1) },
      { maximumCadence: { ...aRoutine.maximumCadence, invocations: 7 } },
      { outputDefinition: 'x' },
    ]) {
      expect(await outcomeOf(createRoutine(member, changes))).toBe('grant_idempotency_conflict');
    }
    expect((await createRoutine(member)).grant.id).toBe(first.grant.id);
  });
});
