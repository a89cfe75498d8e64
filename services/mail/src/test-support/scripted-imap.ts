import { ImapServer, testCertificate } from '@action-platform/testing';
import type { ImapAccount } from '../providers/imap/imap-provider.ts';

/** An IMAP server that misbehaves as a test says, with an account at it. */
export class ScriptedImap extends ImapServer {
  #authority = '';

  static async started(): Promise<ScriptedImap> {
    const { authority, server: pem } = await testCertificate();
    const imap = await new ScriptedImap(pem).start();
    imap.#authority = authority;
    return imap;
  }

  get account(): ImapAccount {
    const settings = { host: '127.0.0.1', port: this.port, starttls: false, ca: this.#authority };
    return { accountId: 'mac_1', workspaceId: 'ws_1', email: 'ada@example.com', settings, secret: 'SECRET' };
  }
}
