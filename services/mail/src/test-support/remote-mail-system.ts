import type { Draft, MailProvider } from '../providers/provider.ts';

/** A mail system elsewhere: it makes a draft whenever it is asked to, and finds drafts by their marker. */
export class RemoteMailSystem implements MailProvider {
  readonly name = 'local';
  readonly createsOnce = false;
  /** The markers of all drafts, one for each draft. */
  readonly markers: string[] = [];
  /** What a search or a creation waits for before it happens. */
  beforeFind = async (): Promise<void> => {};
  beforeCreate = async (): Promise<void> => {};

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

/** Waits, but no longer than until the caller gives up: then nothing more may be begun. */
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
