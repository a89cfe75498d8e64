import { createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { AnswerTooLarge } from '@action-platform/outbound-http';
import { listen } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { failureOf, GraphMailboxes } from '../../test-support/graph/graph-mailboxes.ts';
import { GraphStandIn } from '../../test-support/graph/graph-stand-in.ts';
import type { GraphFault } from '../../test-support/graph/stand-in-faults.ts';
import { DraftRefused, MailUnavailable, SignInRefused } from '../provider.ts';
import { openGraphProvider } from './graph-provider.ts';

const mailboxes = new GraphMailboxes();

/** The error of a search, or else of a creation, that meets a fault. */
async function failing(call: 'token' | 'create' | 'search', fault: GraphFault): Promise<Error> {
  mailboxes.graph.faults.plan(call, fault);
  return await failureOf(call === 'search' ? mailboxes.find() : mailboxes.create());
}

const refusing = (refuse: number, code = 'ErrorSomething') => ({ refuse, code });

test.each([400, 403, 404, 413, 507])('a creation refused with %d keeps no draft', async (status) => {
  const refusal = (await failing('create', refusing(status))) as DraftRefused;
  expect(refusal).toBeInstanceOf(DraftRefused);
  expect(refusal.correlation).toMatchObject({ http_status: status, graph_request_id: expect.any(String) });
});

test.each<['create' | 'search', GraphFault]>([
  ...[500, 503, 504, 409].map((status): ['create', GraphFault] => ['create', refusing(status)]),
  ['create', { cut: 'before' }],
  ['create', { cut: 'after' }],
  ['create', { garbled: 'malformed' }],
  ...[400, 403, 404, 500].map((status): ['search', GraphFault] => ['search', refusing(status)]),
])('nobody knows whether there is a draft after a %s that meets %j', async (call, fault) => {
  const error = await failing(call, fault);
  expect(error).toBeInstanceOf(Error);
  for (const definite of [DraftRefused, SignInRefused, MailUnavailable])
    expect(error).not.toBeInstanceOf(definite);
});

test.each(['token', 'create', 'search'] as const)(
  'an answer to %s without end is not read on',
  async (call) => {
    const error = await failing(call, { garbled: 'endless' });
    expect(call === 'token' ? error.cause : error).toBeInstanceOf(AnswerTooLarge);
  },
);

test('a search whose pages have no end fails', async () => {
  mailboxes.graph.pageSize = 0;
  const message = mailboxes.newMessage();
  await mailboxes.create(message);
  await expect(mailboxes.find(message)).rejects.toThrow('without end');
});

test.each([
  ['create', 429],
  ['create', 503],
  ['token', 429],
  ['token', 503],
] as const)('at a %s %d names the time to wait: nothing was done', async (call, throttle) => {
  const error = (await failing(call, { throttle, seconds: 7 })) as MailUnavailable;
  expect(error).toBeInstanceOf(MailUnavailable);
  expect(error.retryAfterSeconds).toBe(7);
  expect(mailboxes.messages).toHaveLength(0);
});

test('an answer that does not arrive in time rejects with the reason of the signal', async () => {
  mailboxes.graph.faults.plan('create', { swallow: 'after' });
  const message = mailboxes.newMessage();
  const given = new AbortController();
  const creation = mailboxes.create(message, given.signal);
  while (mailboxes.messages.length === 0) await setImmediate();
  given.abort(new Error('given up'));
  await expect(creation).rejects.toThrow('given up');
  expect((await mailboxes.find(message))!.draftId).toBe(mailboxes.messages[0]!.immutableId);
});

test('searches share a connection, and a creation has one of its own', async () => {
  const { graph } = mailboxes;
  await mailboxes.find();
  const connectionsOf = async (call: () => Promise<unknown>) => {
    const before = graph.connections;
    await call();
    return graph.connections - before;
  };
  expect(await connectionsOf(() => mailboxes.find())).toBe(0);
  expect(await connectionsOf(() => mailboxes.create())).toBe(1);
});

test('a server at localhost is reached', async () => {
  const graph_url = mailboxes.graph.origin.replace('127.0.0.1', 'localhost');
  mailboxes.graph.tokens.scopes.add(`${graph_url}/.default`);
  mailboxes.account = mailboxes.newAccount({ settings: { ...mailboxes.graph.settings(), graph_url } });
  await mailboxes.create();
});

test('once the signal has aborted, nothing is sent', async () => {
  const before = mailboxes.graph.requestIds.length;
  const late = mailboxes.create(mailboxes.newMessage(), AbortSignal.abort(new Error('too late')));
  await expect(late).rejects.toThrow(MailUnavailable);
  expect(mailboxes.graph.requestIds).toHaveLength(before);
});

test('a server that refuses connections means that nothing was done', async () => {
  const { graph } = mailboxes;
  await mailboxes.create();
  const stopped = await GraphStandIn.start();
  await stopped.stop();
  mailboxes.account = mailboxes.newAccount({ settings: { ...graph.settings(), graph_url: stopped.origin } });
  graph.tokens.scopes.add(`${stopped.origin}/.default`);
  await expect(mailboxes.create()).rejects.toThrow(MailUnavailable);
});

test('a server that never completes a connection means that nothing was done', async () => {
  const connected = Promise.withResolvers<void>();
  const silent = createServer(() => connected.resolve());
  const graph_url = `https://127.0.0.1:${await listen(silent)}`;
  mailboxes.graph.tokens.scopes.add(`${graph_url}/.default`);
  mailboxes.account = mailboxes.newAccount({ settings: { ...mailboxes.graph.settings(), graph_url } });
  const given = new AbortController();
  const creation = failureOf(mailboxes.create(undefined, given.signal));
  await connected.promise;
  given.abort(new Error('the call ended'));
  expect(await creation).toBeInstanceOf(MailUnavailable);
  silent.close();
});

test('no error contains a secret, or a text of Graph that may quote one', async () => {
  const causes: Error[] = [];
  for (const call of ['token', 'create', 'search'] as const) {
    // A token that is refused with 401 is replaced once.
    const statuses = call === 'token' ? [400, 401, 403, 500] : [400, 403, 500];
    const refusals = statuses.map((status) => refusing(status, 'Some SECRET code'));
    // A search whose kept connection breaks is sent again.
    const cuts = call === 'search' ? [] : [{ cut: 'after' }];
    for (const fault of [...refusals, ...cuts, { garbled: 'malformed' }] as GraphFault[]) {
      mailboxes.provider = openGraphProvider();
      causes.push(await failing(call, fault));
    }
  }
  mailboxes.account = { ...mailboxes.account, secret: 'SECRET-wrong' };
  causes.push(await failureOf(mailboxes.create()));
  for (const error of causes) {
    for (let each = error as Error | undefined; each !== undefined; each = each.cause as Error | undefined) {
      expect(JSON.stringify([each.message, each.stack, { ...each }])).not.toMatch(/SECRET/);
    }
  }
});
