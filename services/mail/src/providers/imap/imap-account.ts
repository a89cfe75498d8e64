import type { mailProviders } from '@action-platform/contracts';
import type { z } from 'zod';
import type { Account } from '../provider.ts';

/** The settings of an IMAP mailbox. */
export type ImapSettings = z.output<typeof mailProviders.imap.settings>;

/** The account of an IMAP mailbox. */
export type ImapAccount = Account<ImapSettings>;
