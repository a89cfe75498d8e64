import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from '@action-platform/testing';

/**
 * A proxy between a replica and its database that delivers one message late. `LateNetwork` holds the first message that
 * contains a text, and all later ones on the same connection, until `deliver`, even when the sender has exited by then.
 */
export class LateNetwork {
  /** The URL of the database through this proxy. */
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #held = Promise.withResolvers<void>();
  readonly #deliver = Promise.withResolvers<void>();
  readonly #answered = Promise.withResolvers<void>();
  #text: string | undefined;

  private constructor(server: Server, port: number, database: URL) {
    this.#server = server;
    const url = new URL(database);
    url.port = String(port);
    this.url = url.href;
    server.on('connection', (replica) => void this.#pass(replica, Number(database.port)));
  }

  static async start(databaseUrl: string): Promise<LateNetwork> {
    const server = createServer();
    return new LateNetwork(server, await listen(server), new URL(databaseUrl));
  }

  /** Holds the next message that contains this text; resolves when it has arrived. */
  async hold(text: string): Promise<void> {
    this.#text = text;
    await this.#held.promise;
  }

  /** Delivers the held message; resolves when the database has answered it. */
  async deliver(): Promise<void> {
    this.#deliver.resolve();
    await this.#answered.promise;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(replica: Socket, databasePort: number): Promise<void> {
    const database = connect(databasePort, '127.0.0.1');
    for (const socket of [replica, database]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
    }
    let isHeld = false;
    database.on('data', (chunk) => {
      if (isHeld) this.#answered.resolve();
      replica.write(chunk);
    });
    database.on('close', () => replica.destroy());
    try {
      for await (const chunk of replica as AsyncIterable<Buffer>) {
        if (this.#text !== undefined && chunk.includes(this.#text)) {
          this.#text = undefined;
          isHeld = true;
          this.#held.resolve();
          await this.#deliver.promise;
        }
        database.write(chunk);
      }
    } catch {
      // The kernel resets connections of a killed replica.
    }
    database.end();
  }
}
