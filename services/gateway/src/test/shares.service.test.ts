import { hashGrantSecret, newGrantSecret } from '@action-platform/contracts/authority';
import { authorize } from '@action-platform/contracts/calls';
import { createDraft, getRecord } from '@action-platform/contracts/operations';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { expectError } from './harness.ts';
import { gatewayWithStandIns } from './stand-ins.ts';

const { harness, standIns } = gatewayWithStandIns([getRecord, createDraft]);
/** The answers of the record store. */
let held: ReturnType<typeof standIns.hold>;
let tokens: { greedy: string; colleague: string; quiet: string };

beforeAll(async () => {
  const tokenOf = (workspaceId: string, userId: string) => harness.issuer.token({ workspaceId, userId });
  tokens = {
    greedy: await tokenOf('ws_1', 'greta'),
    colleague: await tokenOf('ws_1', 'colin'),
    quiet: await tokenOf('ws_2', 'quinn'),
  };
});
beforeEach(() => {
  held = standIns.hold(getRecord.subject);
});
afterEach(() => held.release());

const get = (token: string): Promise<Response> =>
  harness.execute(token, getRecord, {}).then((answer) => answer);
const draft = (token: string): Promise<Response> => harness.execute(token, createDraft, {}).then((it) => it);

const arrived = () => standIns.calls(getRecord.subject);

/** Many concurrent calls of any callers; resolves when all reached the record store or were refused. */
async function callConcurrently(
  times: number,
  tokenOf: (index: number) => string | Promise<string>,
): Promise<Promise<Response>[]> {
  let refused = 0;
  const calls = Array.from({ length: times }, async (_, index) => {
    const answer = await get(await tokenOf(index));
    if (answer.status === 503) refused++;
    return answer;
  });
  while (arrived() + refused < times) await new Promise((resolve) => setTimeout(resolve, 10));
  return calls;
}

describe('600 calls without an answer leave room', () => {
  test('for other Members of their Workspace and for other Workspaces', async () => {
    const calls = await callConcurrently(600, () => tokens.greedy);
    const before = arrived();
    const others = [get(tokens.colleague), get(tokens.quiet)];
    while (arrived() < before + 2) await new Promise((resolve) => setTimeout(resolve, 10));
    held.release();
    for (const answer of await Promise.all(others)) expect(answer.status).toBe(200);
    const refused = (await Promise.all(calls)).filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(100);
    for (const answer of refused) expectError(answer, 'action_platform_unavailable');
  });

  test('for calls to other services, when they come from many Workspaces', async () => {
    const calls = await callConcurrently(600, (index) =>
      harness.issuer.token({ workspaceId: `ws_of_${index}`, userId: 'u' }),
    );
    expect((await draft(tokens.quiet)).status).toBe(200);
    held.release();
    await Promise.all(calls);
  });

  test('for sessions and known grants, when they have unknown secrets', async () => {
    const known = newGrantSecret('operation');
    await draft(known);
    const calls = await callConcurrently(600, () => newGrantSecret('operation'));
    expect((await draft(tokens.quiet)).status).toBe(200);
    expect((await draft(known)).status).toBe(200);
    const [asked] = standIns.asked(authorize.subject).slice(-1);
    expect(JSON.parse(asked!.body)).toMatchObject({ credential: { secretHash: hashGrantSecret(known) } });
    held.release();
    await Promise.all(calls);
  });
});

test('Retry-After is one second, also for a caller that is refused again and again', async () => {
  const calls = await callConcurrently(600, () => tokens.greedy);
  for (let again = 0; again < 20; again++)
    expect((await get(tokens.greedy)).headers['retry-after']).toBe('1');
  // The gateway sheds them before other work, and requests of one trace still get different request ids.
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
  const ids = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const refused = await harness.execute(tokens.greedy, getRecord, {}).set('traceparent', traceparent);
    ids.add(expectError(refused, 'action_platform_unavailable').requestId);
  }
  expect(ids.size).toBe(2);
  held.release();
  await Promise.all(calls);
});
