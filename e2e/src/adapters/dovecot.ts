import { findDovecot } from '@action-platform/local-servers';
import { aptInstall } from '@action-platform/toolchain';
import type { Counterpart } from './counterpart.ts';

/** An IMAP server for the mailboxes of mail: the Dovecot of this machine, or else that of Debian, which root installs. */
export const dovecot: Counterpart = {
  title: 'Dovecot',
  get: async () => {
    if (findDovecot() === undefined) await aptInstall('dovecot-imapd');
  },
};
