import type { Principal } from '@action-platform/contracts/authority';
import { aMember, testCertificate } from '@action-platform/testing';
import { FaultyProxy } from './faulty-proxy.ts';
import { TestDovecot } from './test-dovecot.ts';
import type { TestMail } from './test-mail.ts';

/** A Member, and the login of their mailbox. */
export type BehindProxy = Principal & { readonly login: string };

/** IMAP mailboxes in a Dovecot behind a proxy with faults. */
export class ImapBehindProxy {
  readonly dovecot = new TestDovecot();
  proxy!: FaultyProxy;
  #authority = '';

  async start(): Promise<void> {
    await this.dovecot.start();
    const certificate = await testCertificate();
    this.#authority = certificate.authority;
    this.proxy = await FaultyProxy.start(certificate, this.dovecot.server.plainPort);
  }

  async stop(): Promise<void> {
    this.proxy?.stop();
    await this.dovecot.stop();
  }

  /** A Member of a new Workspace, whose mailbox is behind the proxy. */
  async member(mail: TestMail): Promise<BehindProxy> {
    const member = aMember();
    const login = member.workspaceId;
    const settings = { host: '127.0.0.1', port: this.proxy.port, login, ca: this.#authority };
    const mailbox = { provider: 'imap', settings, secret: this.dovecot.password };
    return { ...(await mail.connected(member, mailbox)), login };
  }
}
