import { ReceivedMessage } from '../wire/headers.ts';
import type { Incoming } from '../wire/incoming.ts';

/** The answer to a request. */
export class BusReply extends ReceivedMessage {
  /** The HTTP status that belongs to it; its body is what the HTTP client gets. */
  readonly status: number;
  /** The further chunks of a long body, fetched as they are consumed; `undefined` when `body` is all. */
  readonly more: AsyncGenerator<Uint8Array> | undefined;

  constructor(message: Incoming, status: number, more: AsyncGenerator<Uint8Array> | undefined) {
    super(message);
    this.status = status;
    this.more = more;
  }
}
