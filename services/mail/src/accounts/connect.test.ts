import { createServer, type Socket } from 'node:net';
import { DestinationCheck, readNetworks } from '@action-platform/outbound-http';
import type { CallContext } from '@action-platform/service-host';
import { listen } from '@action-platform/testing';
import { afterEach, expect, test } from '@jest/globals';
import { imapProvider } from '../providers/imap/imap-provider.ts';
import { MailUnavailable, NO_MAIL_SERVER } from '../providers/provider.ts';
import type { Accounts } from './accounts.ts';
import { connectAccount } from './connect.ts';

const sockets = new Set<Socket>();
const server = createServer((socket) => sockets.add(socket));
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('a provider without capacity refuses no mailbox: the call may be repeated', async () => {
  const signIn = () => Promise.reject(new MailUnavailable(7));
  const dependencies = {
    accounts: { newestKey: 'k1', destinationOf: () => undefined } as unknown as Accounts,
    providers: new Map([['imap', { ...imapProvider, signIn } as never]]),
  };
  const mailbox = { email: 'ada@example.com', provider: 'imap', settings: { host: 'h' }, secret: 'SECRET' };
  const holder = { workspace_id: 'ws_1', user_id: 'ada' };
  const context = { deadline: performance.now() + 10_000 } as CallContext;
  await expect(connectAccount(holder, mailbox, dependencies, context)).rejects.toMatchObject({
    code: 'action_platform_unavailable',
    retryAfter: 7,
  });
});

test('a silent host has the message of a closed port for a Member, and nothing is stored', async () => {
  const check = new DestinationCheck(readNetworks('TEST', '127.0.0.0/8'));
  const stored: unknown[] = [];
  const accounts = {
    newestKey: 'k1',
    destinationOf: () => check,
    put: async (...account: unknown[]) => stored.push(account),
  } as unknown as Accounts;
  const settings = { host: '127.0.0.1', port: await listen(server) };
  const mailbox = {
    email: 'ada@example.com',
    provider: 'imap',
    settings,
    secret: 'SECRET',
    byMember: true,
  } as const;
  const dependencies = { accounts, providers: new Map([['imap', imapProvider as never]]) };
  // The thread of a session takes a while to start on a busy machine.
  const closed = { email: 'ada@example.com', settings: { ...settings, port: 1 }, secret: 'SECRET' };
  const starting = { ...closed, accountId: 'mac_1', workspaceId: 'ws_1' } as never;
  await expect(imapProvider.signIn(starting, AbortSignal.timeout(40_000))).rejects.toThrow('ECONNREFUSED');
  const context = { deadline: performance.now() + 2_500 } as CallContext;
  const connecting = connectAccount({ workspace_id: 'ws_1', user_id: 'ada' }, mailbox, dependencies, context);
  await expect(connecting).rejects.toMatchObject({ code: 'invalid_request', message: NO_MAIL_SERVER });
  expect(sockets.size).toBe(1);
  expect(stored).toEqual([]);
});
