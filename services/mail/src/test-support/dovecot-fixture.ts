import { hash } from 'node:crypto';
import { imapProvider } from '../providers/imap/imap-provider.ts';
import type { MailSystemFixture } from './mail-system-fixture.ts';
import { TestDovecot } from './test-dovecot.ts';

/** IMAP mailboxes in a Dovecot: a login for each address of a Workspace. */
export function dovecotFixture(): MailSystemFixture {
  const dovecot = new TestDovecot();
  const logins = new Map<string, Set<string>>();
  return {
    start: () => dovecot.start(),
    stop: () => dovecot.stop(),
    open: async () => imapProvider,
    mailbox: (workspaceId, email) => {
      const login = hash('sha256', `${workspaceId} ${email.toLowerCase()}`, 'hex').slice(0, 32);
      logins.set(workspaceId, (logins.get(workspaceId) ?? new Set()).add(login));
      const { password: secret, authority: ca, server } = dovecot;
      return { provider: 'imap', settings: { host: '127.0.0.1', port: server.port, login, ca }, secret };
    },
    drafts: async (workspaceId) => {
      const folders = [...(logins.get(workspaceId) ?? [])].map((login) => dovecot.messages(login));
      return (await Promise.all(folders)).flat().map((message) => {
        const marker = /^X-Action-Platform-Key:\s+([0-9a-f]+)\r$/m.exec(message.toString('latin1'))?.[1];
        return { id: `drf_${marker}`, message };
      });
    },
  };
}
