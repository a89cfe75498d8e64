/** A message as it arrived. */
export interface ReceivedMessage {
  readonly subject: string;
  /** The subject for the answer; empty without one. */
  readonly reply: string;
  /** The block of header lines, with the status line; empty without one. */
  readonly headers: string;
  readonly body: string;
}

/** A line of the protocol from a NATS server, with the message of a MSG or HMSG. */
interface Said {
  readonly line: string;
  /** The id of the subscription that the message is for. */
  readonly subscription?: string;
  readonly message?: ReceivedMessage;
}

/** Parses the bytes of a NATS server (https://docs.nats.io/reference/reference-protocols/nats-protocol). */
export class ProtocolReader {
  #unread: Buffer = Buffer.alloc(0);

  /** The lines and messages that these bytes complete. */
  *read(bytes: Buffer): Generator<Said> {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    for (;;) {
      const end = this.#unread.indexOf('\r\n');
      if (end < 0) return;
      const line = this.#unread.toString('utf8', 0, end);
      const [verb, ...fields] = line.split(' ');
      if (verb !== 'MSG' && verb !== 'HMSG') {
        this.#unread = this.#unread.subarray(end + 2);
        yield { line };
        continue;
      }
      const size = Number(fields.pop());
      const headersSize = verb === 'HMSG' ? Number(fields.pop()) : 0;
      const start = end + 2;
      if (this.#unread.length < start + size + 2) return;
      const [subject, subscription, reply = ''] = fields as [string, string, string?];
      const headers = this.#unread.toString('utf8', start, start + headersSize);
      const body = this.#unread.toString('utf8', start + headersSize, start + size);
      this.#unread = this.#unread.subarray(start + size + 2);
      yield { line, subscription, message: { subject, reply, headers, body } };
    }
  }
}
