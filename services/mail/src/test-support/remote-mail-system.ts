import { mailProviders } from '@action-platform/contracts';
import type { Draft, MailProvider } from '../providers/provider.ts';

/** A remote mail system: it makes a draft at every call, and finds drafts by their marker. */
export class RemoteMailSystem implements MailProvider {
  readonly name = 'local';
  readonly createsOnce = false;
  readonly settings = mailProviders.local.settings;
  readonly needsSecret = false;
  /** The markers of all drafts, one for each draft. */
  readonly markers: string[] = [];
  /** A search waits for this, and a creation for the next. */
  beforeFind = async (): Promise<void> => {};
  beforeCreate = async (): Promise<void> => {};

  async signIn(): Promise<void> {}

  async findDraft(_mailbox: unknown, marker: string, signal: AbortSignal): Promise<Draft | undefined> {
    const index = this.markers.indexOf(marker);
    await unlessAborted(this.beforeFind(), signal);
    return index === -1 ? undefined : draftNumber(index);
  }

  async createDraft(_mailbox: unknown, { marker }: { marker: string }, signal: AbortSignal): Promise<Draft> {
    await unlessAborted(this.beforeCreate(), signal);
    this.markers.push(marker);
    return draftNumber(this.markers.length - 1);
  }
}

/** Waits until the promise resolves or the signal aborts; throws the reason of an abort. */
async function unlessAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true });
  await Promise.race([waiting, aborted.promise]);
  signal.throwIfAborted();
}

function draftNumber(index: number): Draft {
  return {
    draftId: `remote-${index}`,
    draftUrl: `https://mail.example.com/drafts/${index}`,
    correlation: { graph_request_id: `request-${index}`, http_status: 201 },
  };
}
