import { describe, expect, test } from '@jest/globals';
import { failureOf, GraphMailboxes } from '../../test-support/graph/graph-mailboxes.ts';
import { GraphStandIn } from '../../test-support/graph/graph-stand-in.ts';
import { MailUnavailable, SignInRefused } from '../provider.ts';
import type { GraphAccount } from './tokens.ts';

const mailboxes = new GraphMailboxes();

/** How many tokens were given during some work. */
async function givenDuring(work: () => Promise<unknown>): Promise<number> {
  const { tokens } = mailboxes.graph;
  const before = tokens.given;
  await work();
  return tokens.given - before;
}

const createOnceMore = async () =>
  expect((await mailboxes.create()).correlation).toMatchObject({ http_status: 201 });

describe('tokens', () => {
  test('mailboxes of one application share one, however many ask at once', async () => {
    const signIns = () => Promise.all([1, 2, 3].map(() => mailboxes.signIn(mailboxes.newAccount())));
    expect(await givenDuring(signIns)).toBe(1);
    expect(await givenDuring(createOnceMore)).toBe(0);
  });

  test('a refused one is replaced once', async () => {
    await mailboxes.create();
    mailboxes.graph.tokens.revokeTokens();
    expect(await givenDuring(createOnceMore)).toBe(1);
  });

  test('an account whose fresh token is refused, too, is refused', async () => {
    mailboxes.graph.tokens.acceptsNone = true;
    await expect(mailboxes.create()).rejects.toThrow(SignInRefused);
  });

  test('a replaced secret is used at once', async () => {
    await mailboxes.create();
    mailboxes.account = { ...mailboxes.account, secret: 'wrong' };
    await expect(mailboxes.create()).rejects.toThrow(SignInRefused);
    mailboxes.account = { ...mailboxes.account, secret: mailboxes.graph.tokens.secret };
    await mailboxes.create();
  });

  test('a token endpoint that never answers holds a call no longer than its time', async () => {
    mailboxes.graph.faults.plan('token', { swallow: 'before' });
    const late = mailboxes.create(undefined, AbortSignal.timeout(50));
    await expect(late).rejects.toThrow(MailUnavailable);
  });

  test("a person's sign-in gives tokens, and fresh ones, as long as it is valid", async () => {
    const { tokens } = mailboxes.graph;
    mailboxes.account = mailboxes.newAccount({ secret: `delegated:${tokens.signIn()}` });
    await mailboxes.signIn();
    expect(await givenDuring(createOnceMore)).toBe(0);
    tokens.revokeTokens();
    expect(await givenDuring(createOnceMore)).toBe(1);
  });
});

describe('signing in', () => {
  const settings = (changes: object) => ({ settings: { ...mailboxes.graph.settings(), ...changes } });
  const having = (access: 'none' | 'read') => {
    mailboxes.graph.mailbox(mailboxes.account.email).access = access;
    return {};
  };

  test('succeeds, and leaves nothing in the mailbox', async () => {
    await mailboxes.signIn();
    expect(mailboxes.messages).toHaveLength(0);
  });

  test.each<[string, () => Partial<GraphAccount>, RegExp]>([
    [
      'a wrong secret',
      () => ({ secret: 'SECRET-wrong' }),
      /Entra ID refuses the sign-in \(invalid_client, AADSTS7000215\)\.$/,
    ],
    [
      'an expired sign-in of a person',
      () => ({ secret: 'delegated:SECRET-expired' }),
      /^Microsoft Entra ID refuses the sign-in \(invalid_grant, AADSTS700082\)\.$/,
    ],
    ['an unknown application', () => settings({ client_id: 'none' }), /unauthorized_client, AADSTS700016/],
    ['an unknown tenant', () => settings({ tenant: 'none.example.com' }), /invalid_tenant, AADSTS90002/],
    ['an unknown mailbox', () => ({ email: 'none@example.com' }), /no mailbox with this address/],
    ['no permission', () => having('none'), /needs Mail\.ReadWrite/],
    ['the permission to read alone', () => having('read'), /needs Mail\.ReadWrite/],
  ])('with %s is refused in one line that says so', async (_name, change, line) => {
    const error = await failureOf(mailboxes.signIn(change()));
    expect(error).toBeInstanceOf(SignInRefused);
    expect(error.message).toMatch(line);
    expect(error.message).toMatch(/^[^\n]+$/);
    expect(mailboxes.messages).toHaveLength(0);
  });

  test('names a server that cannot be reached, or whose certificate nobody vouches for', async () => {
    const other = await GraphStandIn.start();
    const problem = async () => await failureOf(mailboxes.signIn(settings({ login_url: other.origin })));
    expect((await problem()).message).toMatch(/certificate that the mail service does not trust/);
    await other.stop();
    const error = await problem();
    expect(error).toBeInstanceOf(SignInRefused);
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\.$/);
  });
});
