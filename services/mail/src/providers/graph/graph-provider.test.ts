import { AnswerTooLarge } from '@action-platform/outbound-http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DraftMessage } from '../../messages/rfc5322.ts';
import { GraphStandIn } from '../../test-support/graph/graph-stand-in.ts';
import type { GraphFault } from '../../test-support/graph/stand-in-faults.ts';
import { largestMessage } from '../../test-support/largest-message.ts';
import { DraftRefused, MailUnavailable, SignInRefused } from '../provider.ts';
import { openGraphProvider } from './graph-provider.ts';
import type { GraphAccount } from './tokens.ts';

let graph: GraphStandIn;
let provider: ReturnType<typeof openGraphProvider>;
let account: GraphAccount;
let accounts = 0;
beforeAll(async () => {
  graph = await GraphStandIn.trusted();
});
beforeEach(() => {
  graph.faults.clear();
  Object.assign(graph, { lagMs: 0, pageSize: 10, isGlobalCloud: true });
  provider = openGraphProvider();
  account = anAccount();
});
afterAll(() => graph.stop());

const inTime = () => AbortSignal.timeout(40_000);

/** An account with a mailbox of its own. */
function anAccount(changes: Partial<GraphAccount> = {}): GraphAccount {
  const email = `ada-${++accounts}@example.com`;
  graph.mailbox(email);
  const secret = graph.tokens.secret;
  return {
    accountId: `acc_${accounts}`,
    workspaceId: 'wsp_1',
    email,
    settings: graph.settings(),
    secret,
    ...changes,
  };
}

let markers = 0;
function aMessage(): DraftMessage {
  return {
    marker: (++markers).toString(16).padStart(64, '0'),
    from: { name: 'Ada', address: account.email },
    to: ['olga@example.com', "o'hara@example.com"],
    cc: ['ben@example.com'],
    subject: 'Grüße & more',
    body: 'Line 1\r\nLine 2 <b>\n\u{1F600}',
    date: new Date(),
  };
}

const create = (message = aMessage(), signal = inTime()) => provider.createDraft(account, message, signal);
const find = ({ marker }: DraftMessage, signal = inTime()) => provider.findDraft(account, marker, signal);
const messages = () => graph.mailbox(account.email).messages;

/** Gives the messages of the mailbox these days of creation. */
function ageInTurn(days: readonly number[]): void {
  for (const [index, { message }] of messages().entries()) {
    const day = `2026-01-0${days[index]}T00:00:00Z`;
    Object.assign(message, { createdDateTime: day, lastModifiedDateTime: day });
  }
}

describe('a draft', () => {
  test('has the same id and URL from its creation and a search, and ids of both requests', async () => {
    const message = aMessage();
    const created = await create(message);
    const asRecipients = (addresses: readonly string[]) =>
      addresses.map((address) => ({ emailAddress: { address } }));
    expect(messages()[0]!.message).toMatchObject({
      subject: message.subject,
      from: { emailAddress: message.from },
      toRecipients: asRecipients(message.to),
      ccRecipients: asRecipients(message.cc),
      body: { contentType: 'text', content: message.body },
    });
    const found = await find(message);
    expect(found).toMatchObject({ draftId: created.draftId, draftUrl: created.draftUrl });
    expect(created.draftUrl).toMatch(/^https:\/\/outlook\.office365\.com\/owa\/\?ItemID=/);
    expect(created.correlation).toMatchObject({
      http_status: 201,
      graph_client_request_id: expect.any(String),
    });
    expect(found!.correlation).toMatchObject({ http_status: 200 });
    expect(created.correlation!.graph_request_id).not.toBe(found!.correlation!.graph_request_id);
    expect(graph.requestIds).toContain(created.correlation!.graph_client_request_id);
    expect(new Set(graph.requestIds).size).toBe(graph.requestIds.length);
  });

  test('is found after a person moved, sent or deleted it, with the same id', async () => {
    const message = aMessage();
    const { draftId } = await create(message);
    for (const folder of ['sentitems', 'deleteditems'] as const) {
      graph.mailbox(account.email).move(messages()[0]!, folder);
      expect((await find(message))!.draftId).toBe(draftId);
    }
  });

  test('may be the largest', async () => {
    const created = await create(largestMessage);
    expect(await find(largestMessage)).toMatchObject({ draftId: created.draftId });
  });

  test('in an address with characters of a URL is found', async () => {
    account = anAccount({ email: "o'hara/../a?b#c%20@example.com" });
    graph.mailbox(account.email);
    const message = aMessage();
    const { draftId } = await create(message);
    expect((await find(message))!.draftId).toBe(draftId);
  });
});

describe('of several drafts with one marker', () => {
  test('a search finds the oldest, on whatever page it is', async () => {
    graph.pageSize = 1;
    const message = aMessage();
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await create(message)).draftId);
    messages().reverse();
    ageInTurn([3, 2, 1]);
    expect((await find(message))!.draftId).toBe(ids[0]);
  });

  test.each([true, false])('only the oldest is kept (permanentDelete: %s)', async (isGlobalCloud) => {
    graph.isGlobalCloud = isGlobalCloud;
    const message = aMessage();
    const [first, second] = [await create(message), await create(message)];
    ageInTurn([1, 2]);
    const kept = await provider.keepOne!(account, second, message.marker, inTime());
    expect(kept.draftId).toBe(first.draftId);
    expect(
      messages()
        .filter(({ folder }) => folder === 'drafts')
        .map(({ immutableId }) => immutableId),
    ).toEqual([first.draftId]);
    expect((await find(message))!.draftId).toBe(first.draftId);
  });

  test('the one that this attempt created is removed although the filter hides it', async () => {
    const message = aMessage();
    const first = await create(message);
    graph.lagMs = 60_000;
    const second = await create(message);
    const kept = await provider.keepOne!(account, second, message.marker, inTime());
    expect(kept.draftId).toBe(first.draftId);
    expect(messages()).toHaveLength(1);
  });

  test('one whose removal is refused is not passed over, and a search removes it', async () => {
    const message = aMessage();
    const [first, second] = [await create(message), await create(message)];
    ageInTurn([1, 2]);
    graph.faults.plan(
      'remove',
      { refuse: 403, code: 'ErrorAccessDenied' },
      { refuse: 403, code: 'ErrorAccessDenied' },
    );
    await expect(provider.keepOne!(account, second, message.marker, inTime())).rejects.toThrow('403');
    expect((await find(message))!.draftId).toBe(first.draftId);
    expect(messages()).toHaveLength(1);
  });

  test('one that a person has changed stays', async () => {
    const message = aMessage();
    for (let i = 0; i < 2; i++) await create(message);
    ageInTurn([1, 2]);
    messages()[1]!.message.lastModifiedDateTime = '2026-01-02T00:01:00Z';
    await find(message);
    expect(messages()).toHaveLength(2);
  });

  test('a single one stays as it was created', async () => {
    for (const lagMs of [0, 60_000]) {
      graph.lagMs = lagMs;
      const message = aMessage();
      const created = await create(message);
      expect(await provider.keepOne!(account, created, message.marker, inTime())).toEqual(created);
    }
    expect(messages()).toHaveLength(2);
  });
});

describe('what a refusal means', () => {
  test.each([400, 403, 404, 413, 507])('a creation refused with %d keeps no draft', async (status) => {
    graph.faults.plan('create', { refuse: status, code: 'ErrorSomething' });
    const refusal = await create().catch((error) => error);
    expect(refusal).toBeInstanceOf(DraftRefused);
    expect(refusal.correlation).toMatchObject({ http_status: status, graph_request_id: expect.any(String) });
  });

  test.each<[string, GraphFault]>([
    ['500', { refuse: 500, code: 'generalException' }],
    ['504', { refuse: 504, code: 'UnknownError' }],
    ['409', { refuse: 409, code: 'ErrorIrresolvableConflict' }],
    ['a cut before', { cut: 'before' }],
    ['a cut after', { cut: 'after' }],
    ['malformed JSON', { garbled: 'malformed' }],
  ])('after %s nobody knows', async (_name, fault) => {
    graph.faults.plan('create', fault);
    const error = await create().catch((error) => error);
    expect(error).toBeInstanceOf(Error);
    for (const definite of [DraftRefused, SignInRefused, MailUnavailable])
      expect(error).not.toBeInstanceOf(definite);
  });

  test.each(['token', 'create', 'search'] as const)(
    'an answer to %s without end is not read on',
    async (call) => {
      graph.faults.plan(call, { garbled: 'endless' });
      const error = await (call === 'search' ? find(aMessage()) : create(aMessage())).catch((error) => error);
      expect(call === 'token' ? error.cause : error).toBeInstanceOf(AnswerTooLarge);
    },
  );

  test('a search whose pages have no end fails', async () => {
    graph.pageSize = 0;
    const message = aMessage();
    await create(message);
    await expect(find(message)).rejects.toThrow('without end');
  });

  test('a refused search leaves open whether there is a draft', async () => {
    for (const status of [400, 403, 404, 500]) {
      graph.faults.plan('search', { refuse: status, code: 'ErrorSomething' });
      const error = await find(aMessage()).catch((error) => error);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(DraftRefused);
    }
  });

  test.each([
    ['create', 429],
    ['create', 503],
    ['token', 429],
    ['token', 503],
  ] as const)('at a %s %d names the time to wait: nothing was done', async (call, throttle) => {
    graph.faults.plan(call, { throttle, seconds: 7 });
    const error = await create().catch((error) => error);
    expect(error).toBeInstanceOf(MailUnavailable);
    expect(error.retryAfterSeconds).toBe(7);
    expect(messages()).toHaveLength(0);
  });

  test('an answer that does not arrive in time rejects with the reason of the signal', async () => {
    graph.faults.plan('create', { swallow: 'after' });
    const message = aMessage();
    const given = new AbortController();
    const creation = create(message, given.signal);
    while (messages().length === 0) await new Promise((done) => setTimeout(done, 5));
    given.abort(new Error('given up'));
    await expect(creation).rejects.toThrow('given up');
    expect((await find(message))!.draftId).toBe(messages()[0]!.immutableId);
  });

  test('once the signal has aborted, nothing is sent', async () => {
    const before = graph.requestIds.length;
    await expect(create(aMessage(), AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(graph.requestIds).toHaveLength(before);
  });

  test('a server that refuses connections means that nothing was done', async () => {
    await create();
    const stopped = await GraphStandIn.start();
    await stopped.stop();
    account = anAccount({ settings: { ...graph.settings(), graph_url: stopped.origin } });
    graph.tokens.scopes.add(`${stopped.origin}/.default`);
    await expect(create()).rejects.toThrow(MailUnavailable);
  });
});

describe('tokens', () => {
  test('mailboxes of one application share one, however many ask at once', async () => {
    const before = graph.tokens.given;
    await Promise.all(
      [anAccount(), anAccount(), account].map((each) => provider.findDraft(each, '00', inTime())),
    );
    await create();
    expect(graph.tokens.given).toBe(before + 1);
  });

  test('a refused one is replaced once', async () => {
    await create();
    const before = graph.tokens.given;
    graph.tokens.revokeTokens();
    expect((await create()).correlation).toMatchObject({ http_status: 201 });
    expect(graph.tokens.given).toBe(before + 1);
  });

  test('an account whose fresh token is refused, too, is refused', async () => {
    graph.tokens.acceptsNone = true;
    try {
      const error = await create().catch((error) => error);
      expect(error).toBeInstanceOf(SignInRefused);
    } finally {
      graph.tokens.acceptsNone = false;
    }
  });

  test('a replaced secret is used at once', async () => {
    await create();
    account = { ...account, secret: 'wrong' };
    await expect(create()).rejects.toThrow(SignInRefused);
    account = { ...account, secret: graph.tokens.secret };
    await create();
  });

  test('a token endpoint that never answers holds a call no longer than its time', async () => {
    graph.faults.plan('token', { swallow: 'before' });
    await expect(create(aMessage(), AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe("a person's sign-in", () => {
  test('gives tokens, and fresh ones, as long as it is valid', async () => {
    account = anAccount({ secret: `delegated:${graph.tokens.signIn()}` });
    await provider.signIn(account, inTime());
    const before = graph.tokens.given;
    await create();
    expect(graph.tokens.given).toBe(before);
    graph.tokens.revokeTokens();
    expect((await create()).correlation).toMatchObject({ http_status: 201 });
    expect(graph.tokens.given).toBe(before + 1);
  });

  test('that has expired is refused in one line', async () => {
    account = anAccount({ secret: 'delegated:SECRET-expired' });
    const line = 'Microsoft Entra ID refuses the sign-in (invalid_grant, AADSTS700082).';
    await expect(provider.signIn(account, inTime())).rejects.toEqual(new SignInRefused(line));
    await expect(create()).rejects.toThrow(SignInRefused);
  });
});

describe('signing in', () => {
  const signIn = (changes: Partial<GraphAccount> = {}) =>
    provider.signIn({ ...account, ...changes }, inTime());
  const settings = (changes: object) => ({ settings: { ...graph.settings(), ...changes } });

  test('succeeds, and leaves nothing in the mailbox', async () => {
    await signIn();
    expect(messages()).toHaveLength(0);
  });

  const having = (access: 'none' | 'read') => {
    graph.mailbox(account.email).access = access;
    return {};
  };
  test.each<[string, () => Partial<GraphAccount>, RegExp]>([
    [
      'a wrong secret',
      () => ({ secret: 'SECRET-wrong' }),
      /Entra ID refuses the sign-in \(invalid_client, AADSTS7000215\)\.$/,
    ],
    ['an unknown application', () => settings({ client_id: 'none' }), /unauthorized_client, AADSTS700016/],
    ['an unknown tenant', () => settings({ tenant: 'none.example.com' }), /invalid_tenant, AADSTS90002/],
    ['an unknown mailbox', () => ({ email: 'none@example.com' }), /no mailbox with this address/],
    ['no permission', () => having('none'), /needs Mail\.ReadWrite/],
    ['the permission to read alone', () => having('read'), /needs Mail\.ReadWrite/],
  ])('with %s is refused in one line that says so', async (_name, change, line) => {
    const error = await signIn(change()).catch((error) => error);
    expect(error).toBeInstanceOf(SignInRefused);
    expect(error.message).toMatch(line);
    expect(error.message).toMatch(/^[^\n]+$/);
    expect(messages()).toHaveLength(0);
  });

  test('names a server that cannot be reached, or whose certificate nobody vouches for', async () => {
    const other = await GraphStandIn.start();
    await expect(signIn(settings({ login_url: other.origin }))).rejects.toThrow(
      /certificate that the mail service does not trust/,
    );
    await other.stop();
    const error = await signIn(settings({ login_url: other.origin })).catch((error) => error);
    expect(error).toBeInstanceOf(SignInRefused);
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\.$/);
  });
});

test('no error contains a secret, or a text of Graph that may quote one', async () => {
  const causes: unknown[] = [];
  const provoke = async (call: 'token' | 'create' | 'search', fault: GraphFault) => {
    provider = openGraphProvider();
    graph.faults.plan(call, fault);
    await (call === 'search' ? find(aMessage()) : create()).catch((error) => causes.push(error));
  };
  for (const call of ['token', 'create', 'search'] as const) {
    for (const status of [400, 401, 403, 500])
      await provoke(call, { refuse: status, code: 'Some SECRET code' });
    await provoke(call, { cut: 'after' });
    await provoke(call, { garbled: 'malformed' });
  }
  account = { ...account, secret: 'SECRET-wrong' };
  await create().catch((error) => causes.push(error));
  expect(causes.length).toBeGreaterThan(16);
  for (const error of causes) {
    for (let each = error as Error | undefined; each !== undefined; each = each.cause as Error | undefined) {
      expect(JSON.stringify([each.message, each.stack, { ...each }])).not.toMatch(/SECRET/);
    }
  }
});
