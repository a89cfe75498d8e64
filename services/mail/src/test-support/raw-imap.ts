import { connect, type TLSSocket } from 'node:tls';

/** A client that speaks IMAP by itself, so that tests see a mailbox independently of the provider's library. */
export class RawImap {
  readonly #socket: TLSSocket;
  #received = '';
  #tag = 0;
  #changed = Promise.withResolvers<void>();

  private constructor(socket: TLSSocket) {
    this.#socket = socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#received += text;
      this.#changed.resolve();
      this.#changed = Promise.withResolvers();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      // Nobody may wait at the moment.
      this.#changed.promise.catch(() => {});
      this.#changed.reject(new Error('The server closed the connection.'));
    });
  }

  static async signIn(
    server: { port: number; ca: string },
    login: string,
    password: string,
  ): Promise<RawImap> {
    const client = new RawImap(connect({ host: '127.0.0.1', ...server }));
    await client.#until(/^\* OK/);
    await client.command(`LOGIN "${login}" "${password}"`);
    return client;
  }

  /** Sends a command; resolves with everything before its tagged OK, one character for each byte. */
  async command(text: string): Promise<string> {
    const tag = `t${++this.#tag}`;
    this.#received = '';
    this.#socket.write(`${tag} ${text}\r\n`, 'latin1');
    await this.#until(new RegExp(`(^|\r\n)${tag} (OK|NO|BAD)[^\r\n]*\r\n$`));
    if (!this.#received.includes(`${tag} OK`)) throw new Error(`${text}: ${this.#received}`);
    return this.#received;
  }

  /** The messages of a folder, to the byte. */
  async messages(folder: string): Promise<Buffer[]> {
    await this.command(`SELECT ${folder}`);
    const { received, messages } = {
      received: await this.command('UID FETCH 1:* BODY.PEEK[]'),
      messages: [] as Buffer[],
    };
    for (let from = 0; ; ) {
      const marked = /\{(\d+)\}\r\n/.exec(received.slice(from));
      if (marked === null) return messages;
      const begin = from + marked.index + marked[0].length;
      from = begin + Number(marked[1]);
      messages.push(Buffer.from(received.slice(begin, from), 'latin1'));
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  async #until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#received)) await this.#changed.promise;
  }
}
