import {
  authorize,
  createDraft,
  getRecord,
  hashGrantSecret,
  newGrantSecret,
  operationSubject,
} from '@action-platform/contracts';
import { anOwner } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { expectError, GatewayHarness } from './harness.ts';
import { json, StandIns } from './stand-ins.ts';

const harness = new GatewayHarness();
const standIns = new StandIns();
/** A record store that does not answer until it is told to. */
let answering = Promise.withResolvers<void>();
let tokens: { greedy: string; colleague: string; quiet: string };

beforeAll(async () => {
  await harness.start();
  await standIns.start(harness.platform, [getRecord, createDraft]);
  const tokenOf = (workspaceId: string, userId: string) => harness.issuer.token({ workspaceId, userId });
  tokens = {
    greedy: await tokenOf('ws_1', 'greta'),
    colleague: await tokenOf('ws_1', 'colin'),
    quiet: await tokenOf('ws_2', 'quinn'),
  };
});
afterAll(() => harness.stop());
beforeEach(() => {
  standIns.reset();
  answering = Promise.withResolvers();
  standIns.answers.set(authorize.subject, json(anOwner()));
  standIns.answers.set(operationSubject(getRecord), async () => {
    await answering.promise;
    return json({ result: {} });
  });
});
afterEach(() => answering.resolve());

const get = (token: string): Promise<Response> =>
  harness.execute(token, getRecord, {}).then((answer) => answer);
const draft = (token: string): Promise<Response> => harness.execute(token, createDraft, {}).then((it) => it);

/** How many calls have come to the record store; a read that is not answered is asked again. */
const arrived = () => new Set(standIns.asked(operationSubject(getRecord)).map((it) => it.requestId)).size;

/** Many calls at once, by whoever; resolves when all have come to the record store or been refused. */
async function crowd(
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

describe('600 calls that get no answer leave a place', () => {
  test('for other Members of their Workspace and for other Workspaces', async () => {
    const calls = await crowd(600, () => tokens.greedy);
    const before = arrived();
    const others = [get(tokens.colleague), get(tokens.quiet)];
    while (arrived() < before + 2) await new Promise((resolve) => setTimeout(resolve, 10));
    answering.resolve();
    for (const answer of await Promise.all(others)) expect(answer.status).toBe(200);
    const refused = (await Promise.all(calls)).filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(100);
    for (const answer of refused) expectError(answer, 'action_platform_unavailable');
  });

  test('for what other services do, when they come from everywhere', async () => {
    const calls = await crowd(600, (index) =>
      harness.issuer.token({ workspaceId: `ws_of_${index}`, userId: 'u' }),
    );
    expect((await draft(tokens.quiet)).status).toBe(200);
    answering.resolve();
    await Promise.all(calls);
  });

  test('for sessions and for grants that were seen before, when they come with secrets that were not', async () => {
    const known = newGrantSecret('operation');
    await draft(known);
    const calls = await crowd(600, () => newGrantSecret('operation'));
    expect((await draft(tokens.quiet)).status).toBe(200);
    expect((await draft(known)).status).toBe(200);
    const [asked] = standIns.asked(authorize.subject).slice(-1);
    expect(JSON.parse(asked!.body)).toMatchObject({ credential: { secretHash: hashGrantSecret(known) } });
    answering.resolve();
    await Promise.all(calls);
  });
});

test('Retry-After grows for a caller that is refused again and again', async () => {
  const calls = await crowd(600, () => tokens.greedy);
  let wait = 1;
  while (wait === 1) wait = Number((await get(tokens.greedy)).headers['retry-after']);
  expect(wait).toBeGreaterThan(1);
  // The gateway refuses them before it reads anything else, and each of a trace still gets a request id of its own.
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
  const ids = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const refused = await harness.execute(tokens.greedy, getRecord, {}).set('traceparent', traceparent);
    ids.add(expectError(refused, 'action_platform_unavailable').requestId);
  }
  expect(ids.size).toBe(2);
  answering.resolve();
  await Promise.all(calls);
});
