import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import PostalMime from 'postal-mime';
import { type DraftMessage, toRfc5322 } from '../../messages/rfc5322.ts';
import { largestMessage } from '../../test-support/largest-message.ts';
import { describeOnDovecot, TestDovecot } from '../../test-support/test-dovecot.ts';
import { DraftRefused, SignInRefused } from '../provider.ts';
import { imapProvider } from './imap-provider.ts';
import type { ImapSettings } from './thread/task.ts';

const dovecot = new TestDovecot();

const message: DraftMessage = {
  marker: 'ab12',
  from: { name: 'Ada Ångström', address: 'ada@example.com' },
  to: ['bob@example.com'],
  cc: ['jürgen@example.com'],
  subject: 'Grüße 😀',
  body: 'one\r\ntwo\r\nthree\r\n.\r\n',
  date: new Date(0),
};
const inTime = () => AbortSignal.timeout(10_000);
const { signIn, findDraft, createDraft } = imapProvider;

describeOnDovecot('the IMAP provider', () => {
  beforeAll(async () => {
    await dovecot.start();
    await dovecot.server.setLogins({
      reader: { draftsRights: 'lrs' },
      full: { quotaBytes: 100 },
      unmarked: { hasNoDrafts: true },
    });
  });
  afterAll(() => dovecot.stop());

  describe('signs in', () => {
    test.each([
      ['with TLS', () => ({})],
      ['with STARTTLS', () => ({ port: dovecot.server.plainPort, starttls: true })],
      ['by the name of the host', () => ({ host: 'localhost' })],
      ['with the folder that the operator names', () => ({ drafts_folder: 'INBOX' })],
    ])('%s', async (_how, settings: () => Partial<ImapSettings>) => {
      await expect(signIn(dovecot.account('ada', settings()), inTime())).resolves.toBeUndefined();
    });

    test.each<[what: string, reason: RegExp, () => Partial<ImapSettings>, login?: string, secret?: string]>([
      ['the password is wrong', /^127.+:\d+ refuses the login or the password\.$/, () => ({}), 'ada', 'no'],
      ['the certificate is of an unknown authority', /certificate .* not trusted/, () => ({ ca: undefined })],
      ['nobody listens', /ECONNREFUSED/, () => ({ port: 1 })],
      ['the host is unknown', /^no\.invalid:\d+ cannot be signed in to/, () => ({ host: 'no.invalid' })],
      ['the port has no TLS', /ERR_SSL_WRONG_VERSION/, () => ({ port: dovecot.server.plainPort })],
      ['no folder is marked', /marks no folder with \\Drafts: name the folder/, () => ({}), 'unmarked'],
      ['the named folder is missing', /folder Nope \(NONEXISTENT\)/, () => ({ drafts_folder: 'Nope' })],
    ])('not when %s, and says so', async (_what, reason, settings, login = 'ada', secret = undefined) => {
      const signingIn = signIn(dovecot.account(login, settings(), secret), inTime());
      await expect(signingIn).rejects.toThrow(SignInRefused);
      await expect(signingIn).rejects.toThrow(reason);
    });

    test('not when a server that is to begin in plain text has no STARTTLS', async () => {
      const account = dovecot.account('ada', { starttls: true });
      await expect(signIn(account, AbortSignal.timeout(500))).rejects.toThrow();
    });
  });

  test('a draft is the message to the byte, in the folder that the server marks, as a draft that was seen', async () => {
    const account = dovecot.account('to-the-byte');
    expect(await createDraft(account, message, inTime())).toEqual({ draftId: 'drf_ab12' });
    const [draft, ...others] = await dovecot.messages('to-the-byte');
    expect(others).toEqual([]);
    expect(draft!.equals(await toRfc5322(message))).toBe(true);
    const { subject, from, text } = await PostalMime.parse(draft!);
    expect({ subject, from, text }).toEqual({
      subject: message.subject,
      from: message.from,
      text: message.body,
    });
    const shown = await dovecot.inMailbox('to-the-byte', async (client) => {
      await client.mailboxOpen('Drafts', { readOnly: true });
      const found = await client.fetchOne('1', { flags: true, internalDate: true });
      return found && { flags: [...found.flags!], date: found.internalDate };
    });
    const flags = expect.arrayContaining(['\\Seen', '\\Draft']);
    expect(shown).toEqual({ flags, date: new Date(0) });
  });

  test('the largest draft is kept to the byte, and found beside an equal one', async () => {
    const account = dovecot.account('largest');
    for (const _ of [1, 2]) await createDraft(account, largestMessage, inTime());
    expect(await findDraft(account, largestMessage.marker, inTime())).toBeDefined();
    const [draft, ...others] = await dovecot.messages('largest');
    expect(draft!.equals(await toRfc5322(largestMessage))).toBe(true);
    expect(others).toEqual([]);
  });

  test.each(['Drafts', 'Sent', 'Trash'])('a draft is found in %s, by its marker alone', async (folder) => {
    const login = `in-${folder}`;
    const account = dovecot.account(login);
    expect(await findDraft(account, message.marker, inTime())).toBeUndefined();
    const created = await createDraft(account, message, inTime());
    if (folder !== 'Drafts') {
      await dovecot.inMailbox(login, async (client) => {
        await client.mailboxOpen('Drafts');
        await client.messageMove('1:*', folder);
      });
    }
    expect(await findDraft(account, message.marker, inTime())).toEqual(created);
    expect(await findDraft(account, 'ab13', inTime())).toBeUndefined();
  });

  test('of equal drafts one stays, however many calls look at once; one that a person has changed stays too', async () => {
    const account = dovecot.account('twins');
    const changed = { ...message, body: 'changed' };
    for (const each of [message, message, changed, message]) await createDraft(account, each, inTime());
    const found = await Promise.all([1, 2, 3].map(() => findDraft(account, message.marker, inTime())));
    expect(found.map((draft) => draft?.draftId)).toEqual(['drf_ab12', 'drf_ab12', 'drf_ab12']);
    const bodies = await Promise.all(
      (await dovecot.messages('twins')).map((draft) => PostalMime.parse(draft)),
    );
    expect(bodies.map(({ text }) => text?.trimEnd())).toEqual([message.body.trimEnd(), 'changed']);
  });

  test('a message that a person has marked as deleted is not removed with a twin', async () => {
    const account = dovecot.account('marked');
    await createDraft(account, { ...message, marker: 'cd34' }, inTime());
    await dovecot.inMailbox('marked', async (client) => {
      await client.mailboxOpen('Drafts');
      await client.messageFlagsAdd('1', ['\\Deleted']);
    });
    for (const each of [message, message]) await createDraft(account, each, inTime());
    await findDraft(account, message.marker, inTime());
    expect(await dovecot.messages('marked')).toHaveLength(2);
  });

  test.each([
    ['a full mailbox', 'full', {}],
    ['a folder without the right to insert', 'reader', {}],
    ['a missing folder', 'ada', { drafts_folder: 'Nope' }],
  ])('%s refuses the draft for good', async (_what, login, settings) => {
    const creating = createDraft(dovecot.account(login, settings), message, inTime());
    await expect(creating).rejects.toThrow(DraftRefused);
  });

  test('a password that is refused later refuses the sign-in, and no error has the text of the server or a secret', async () => {
    const account = dovecot.account('ada', {}, 'wrong-secret');
    const calls = [findDraft(account, 'ab12', inTime()), createDraft(account, message, inTime())];
    for (const call of await Promise.allSettled(calls)) {
      const error = (call as PromiseRejectedResult).reason as Error;
      expect(error).toBeInstanceOf(SignInRefused);
      expect(JSON.stringify([error.message, error.cause, { ...error }])).not.toContain('secret');
    }
  });

  test('an aborted call begins no step and rejects with the reason', async () => {
    const reason = new Error('given up');
    const creating = createDraft(dovecot.account('aborted'), message, AbortSignal.abort(reason));
    await expect(creating).rejects.toBe(reason);
    expect(await dovecot.messages('aborted')).toEqual([]);
  });
});
