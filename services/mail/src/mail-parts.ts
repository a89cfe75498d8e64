import type { Attempts } from './attempts/attempts.ts';
import type { Documents } from './database/documents.ts';
import type { MailProviders } from './providers/provider.ts';
import type { Senders } from './senders/senders.ts';

/** The parts that the operations are made of. */
export interface MailParts {
  readonly documents: Documents;
  readonly providers: MailProviders;
  readonly senders: Senders;
  readonly attempts: Attempts;
}
