import { rm } from 'node:fs/promises';
import { makeTestFolder, testCertificate } from '@action-platform/testing';
import { type Dovecot, findDovecot, startDovecot } from '@action-platform/testing/dovecot';
import { describe } from '@jest/globals';
import { ImapFlow } from 'imapflow';
import type { ImapAccount } from '../providers/imap/imap-provider.ts';
import type { ImapSettings } from '../providers/imap/thread/task.ts';

/** The password of every mailbox. */
const PASSWORD = 'SECRET-open-sesame';

/** Tests on a Dovecot. A machine without it skips them, and says so. */
export function describeOnDovecot(name: string, tests: () => void): void {
  if (findDovecot() !== undefined) {
    describe(name, tests);
    return;
  }
  process.stderr.write(
    `Skipped: ${name}. There is no dovecot on the PATH; npm run e2e -- adapters installs it on Debian.\n`,
  );
  describe.skip(`${name} (no dovecot on the PATH)`, tests);
}

/** A Dovecot of a test file. */
export class TestDovecot {
  readonly password = PASSWORD;
  server!: Dovecot;
  authority = '';
  #folder = '';

  async start(): Promise<void> {
    this.#folder = makeTestFolder();
    const { authority, server } = await testCertificate();
    this.authority = authority;
    this.server = await startDovecot({ folder: this.#folder, certificate: server, password: PASSWORD });
  }

  async stop(): Promise<void> {
    await this.server?.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The account of a login. */
  account(login: string, settings: Partial<ImapSettings> = {}, secret = PASSWORD): ImapAccount {
    const { authority: ca, server } = this;
    const own = { host: '127.0.0.1', port: server.port, starttls: false, login, ca, ...settings };
    return {
      accountId: `mac_${login}`,
      workspaceId: 'ws_1',
      email: 'ada@example.com',
      settings: own,
      secret,
    };
  }

  /** Works in a mailbox as another program of its owner. */
  async inMailbox<Result>(login: string, work: (client: ImapFlow) => Promise<Result>): Promise<Result> {
    const server = { host: '127.0.0.1', port: this.server.port, secure: true, tls: { ca: this.authority } };
    const client = new ImapFlow({ ...server, auth: { user: login, pass: PASSWORD }, logger: false });
    await client.connect();
    try {
      return await work(client);
    } finally {
      client.close();
    }
  }

  /** The messages of a folder. */
  async messages(login: string, folder = 'Drafts'): Promise<Buffer[]> {
    return await this.inMailbox(login, async (client) => {
      await client.mailboxOpen(folder);
      return (await client.fetchAll('1:*', { source: true })).map(({ source }) => source!);
    });
  }
}
