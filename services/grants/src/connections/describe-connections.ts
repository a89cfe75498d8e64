import type { AppConnection } from '@action-platform/contracts';
import type { MailboxOfConnection } from '../other-services/other-services.ts';
import type { AppConnectionOf } from './app-connections.ts';

/** A connection as its Member and the Owners see it. @param mailbox undefined when an operator connected the app without one */
export function describeConnection(
  { id, app, userId }: AppConnectionOf,
  mailbox: Pick<MailboxOfConnection, 'provider' | 'email' | 'available'> | undefined,
): AppConnection {
  const { provider = null, email = null, available = true } = mailbox ?? {};
  return { id, app, userId, provider, email, available };
}
