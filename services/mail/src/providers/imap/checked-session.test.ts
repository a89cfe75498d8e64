import { createServer } from 'node:net';
import { DestinationCheck, readNetworks } from '@action-platform/outbound-http';
import { listen } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ScriptedImap } from '../../test-support/scripted-imap.ts';
import { NO_MAIL_SERVER } from '../provider.ts';
import { type ImapAccount, imapProvider } from './imap-provider.ts';

let imap: ScriptedImap;
let connections = 0;
beforeAll(async () => {
  imap = await ScriptedImap.started();
});
afterEach(() => {
  connections = 0;
  imap.script = () => undefined;
});
afterAll(() => imap.stop());

const thisMachine = readNetworks('TEST', '127.0.0.0/8');

/** The account of a server that a Member named. */
function account(change: Partial<ImapAccount['settings']>, destination: DestinationCheck): ImapAccount {
  const own = imap.account;
  imap.script = (command) => {
    if (command === 'greeting') connections++;
    return undefined;
  };
  return { ...own, settings: { ...own.settings, ...change }, destination };
}

const signIn = (of: ImapAccount, signal = AbortSignal.timeout(5_000)) => imapProvider.signIn(of, signal);

test('a server in an allowed network is signed in to, by its address and by its name', async () => {
  const check = new DestinationCheck(thisMachine, async () => ['127.0.0.1']);
  await signIn(account({}, check));
  const byName = signIn(account({ host: 'imap.example.com' }, check));
  // The name led to the server, whose certificate is for its address.
  await expect(byName).rejects.toThrow(/^The certificate of imap\.example\.com:\d+ is not trusted/);
});

test.each(['127.0.0.1', '::1', '169.254.169.254', '::ffff:127.0.0.1'])(
  'the server %s is refused without a connection',
  async (host) => {
    const signingIn = signIn(account({ host }, new DestinationCheck([])));
    await expect(signingIn).rejects.toThrow('host: it has an address that is not a public one.');
    expect(connections).toBe(0);
  },
);

test('a name with a private address, or with one beside a public one, is refused without a connection', async () => {
  for (const addresses of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1']]) {
    const check = new DestinationCheck([], async () => addresses);
    const signingIn = signIn(account({ host: 'imap.example.com' }, check));
    await expect(signingIn).rejects.toThrow('host: it has an address that is not a public one.');
  }
  expect(connections).toBe(0);
});

test('a closed port, a server of another kind and an unknown name have one message', async () => {
  const check = new DestinationCheck(thisMachine, async () => {
    throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
  });
  const other = createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.2\r\n'));
  const port = await listen(other);
  const messages = new Set<string>();
  const noteRefusal = (error: Error) => messages.add(error.message);
  await signIn(account({ port }, check)).catch(noteRefusal);
  await new Promise((closed) => other.close(closed));
  await signIn(account({ port }, check)).catch(noteRefusal);
  await signIn(account({ host: 'imap.example.com' }, check)).catch(noteRefusal);
  expect([...messages]).toEqual([NO_MAIL_SERVER]);
});
