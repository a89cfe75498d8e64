import { newGrantSecret, type Principal } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import { authorize } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { createCollection, getRecord } from '@action-platform/contracts/operations';
import { aMember } from '@action-platform/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from './harness.ts';
import { RawConnection } from './raw-http.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const { harness, standIns } = gatewayWithStandIns([getRecord, createCollection]);
const subject = getRecord.subject;
let users = 0;
let principal: Principal;
let token: string;

beforeEach(async () => {
  principal = aMember({ workspaceId: 'ws_1', userId: `user-${users++}` });
  token = await harness.issuer.token(principal);
  standIns.answers.set(authorize.subject, async () => json(principal));
  standIns.answers.set(subject, json({ result: 'seen' }));
});

const get = async (bearer = token) => await harness.execute(bearer, getRecord, getRecord.example);

/** The token of another caller, whose call reaches the service behind those under way. */
const othersToken = () => harness.issuer.token({ workspaceId: 'ws_2', userId: 'other' });

/** Holds back the answer to the next request on a subject: `received` resolves with the request, `answer` gives the answer. */
function holdNext(held: string) {
  const [received, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<object>()];
  const cancelled = Promise.withResolvers<void>();
  const others = standIns.answers.get(held)!;
  standIns.answers.set(held, async (request) => {
    standIns.answers.set(held, others);
    request.signal.addEventListener('abort', () => cancelled.resolve());
    received.resolve();
    const given = await answer.promise;
    return given instanceof ActionError ? given : json(given);
  });
  return { received: received.promise, answer: answer.resolve, cancelled: cancelled.promise };
}

/** Resolves once the answers that the service gave so far have arrived: the one to this call comes on the same connection, behind them. */
async function answersArrived(): Promise<void> {
  const { status } = await harness.execute(await othersToken(), createCollection, createCollection.example);
  expect(status).toBe(200);
}

describe('while grants authorizes a read of a caller that it allowed the last call', () => {
  beforeEach(() => get());

  test('the service works on it, and no byte of its answer leaves before grants allows the call', async () => {
    const [service, grants] = [holdNext(subject), holdNext(authorize.subject)];
    service.answer({ result: 'seen' });
    const caller = await RawConnection.open(harness.url);
    caller.call(getRecord, token, JSON.stringify(getRecord.example));
    await Promise.all([grants.received, service.received]);
    await answersArrived();
    expect(caller.received).toBe('');
    standIns.received.length = 0;
    grants.answer(principal);
    await caller.receives(/"result":"seen"/);
    expect(standIns.received).toEqual([]);
    caller.socket.destroy();
  });

  test('a refusal discards the answer, and the next read waits for grants', async () => {
    const [service, first] = [holdNext(subject), holdNext(authorize.subject)];
    service.answer({ result: 'seen' });
    const refused = get();
    await Promise.all([first.received, service.received]);
    await answersArrived();
    standIns.received.length = 0;
    first.answer(new ActionError('workspace_membership_required'));
    expectError(await refused, 'workspace_membership_required');
    expect((await refused).text).not.toContain('seen');

    const second = holdNext(authorize.subject);
    const next = get();
    await second.received;
    await answersArrived();
    expect(standIns.asked(subject)).toEqual([]);
    second.answer(principal);
    expect((await next).body).toEqual({ result: 'seen' });
  });

  test('a refusal cancels a read that the service still works on', async () => {
    const [service, grants] = [holdNext(subject), holdNext(authorize.subject)];
    const refused = get();
    await Promise.all([service.received, grants.received]);
    grants.answer(new ActionError('workspace_membership_required'));
    expectError(await refused, 'workspace_membership_required');
    await service.cancelled;
    service.answer({});
  });

  test('a refusal cancels the rest of a long answer', async () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* long() {
      try {
        for (;;) yield Buffer.alloc(64 * 1024, 'seen');
      } finally {
        ended.resolve();
      }
    }
    standIns.answers.set(subject, async () => {
      begun.resolve();
      return { status: 200, body: long() };
    });
    const grants = holdNext(authorize.subject);
    const refused = get();
    await Promise.all([grants.received, begun.promise]);
    await answersArrived();
    grants.answer(new ActionError('workspace_membership_required'));
    expectError(await refused, 'workspace_membership_required');
    await ended.promise;
  });

  test('a principal that changed discards the answer, and the service gets the present one', async () => {
    const asked: Principal[] = [];
    standIns.answers.set(subject, async (request) => {
      asked.push(JSON.parse(request.header(busHeaders.principal)));
      return json({ result: asked.length === 1 ? 'as a Member' : 'as an Owner' });
    });
    const owner: Principal = { ...principal, role: 'owner' };
    standIns.answers.set(authorize.subject, async () => json(owner));
    expect((await get()).body).toEqual({ result: 'as an Owner' });
    expect(asked).toEqual([principal, owner]);
  });
});

test.each([
  ['a write', () => token, createCollection, true],
  ['the first read of a caller', () => token, getRecord, false],
  ['a read with a grant', () => newGrantSecret('operation'), getRecord, true],
] as const)('%s waits for grants', async (_, bearer, operation, isRepeated) => {
  const secret = bearer();
  const call = async () => (await harness.execute(secret, operation, operation.example)).status;
  if (isRepeated) expect(await call()).toBe(200);
  const grants = holdNext(authorize.subject);
  standIns.received.length = 0;
  const waiting = call();
  await grants.received;
  await answersArrived();
  const others = { subject: createCollection.subject };
  expect(standIns.received).toEqual([
    expect.objectContaining({ subject: authorize.subject }),
    expect.objectContaining({ subject: authorize.subject }),
    expect.objectContaining(others),
  ]);
  grants.answer(principal);
  expect(await waiting).toBe(200);
});
