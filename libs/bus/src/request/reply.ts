import { ReceivedMessage } from '../headers.ts';
import type { Incoming } from '../incoming.ts';

/** The answer to a request. */
export interface BusReply {
  /** The HTTP status that belongs to it; its body is what the HTTP client gets. */
  readonly status: number;
  /** A header's value; the empty string when it is absent. */
  header(name: string): string;
  /** The body, or its first chunk when `more` is set. */
  readonly body: Uint8Array;
  /** The further chunks of a long body, fetched as they are consumed; `undefined` when `body` is all. */
  readonly more: AsyncGenerator<Uint8Array> | undefined;
}

/** An answer that came in. */
export class Reply extends ReceivedMessage implements BusReply {
  readonly status: number;
  readonly more: BusReply['more'];

  constructor(message: Incoming, status: number, more: BusReply['more']) {
    super(message);
    this.status = status;
    this.more = more;
  }
}
