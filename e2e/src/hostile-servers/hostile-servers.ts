import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Where the servers listen. */
interface Addresses {
  /** Of the endpoints, in the order of `endpointKinds`. */
  readonly urls: readonly string[];
  /** Of the mail servers, in the order of `mailKinds`. */
  readonly mailPorts: readonly number[];
}

/**
 * Endpoints and mail servers that are ordinary until they are hostile. The servers have a thread of their own: the bytes that they send
 * without end would delay the ordinary servers and the clock of the suite, which would look like a delay of the platform.
 */
export class HostileServers implements Addresses {
  readonly urls: readonly string[];
  readonly mailPorts: readonly number[];
  readonly #thread: Worker;

  private constructor(thread: Worker, { urls, mailPorts }: Addresses) {
    this.#thread = thread;
    this.urls = urls;
    this.mailPorts = mailPorts;
  }

  /** @param pem the certificate and private key of the mail servers */
  static async start(pem: string): Promise<HostileServers> {
    const thread = new Worker(new URL('hostile-thread.ts', import.meta.url), { workerData: pem });
    const [addresses] = await once(thread, 'message');
    return new HostileServers(thread, addresses);
  }

  /** Has the servers be hostile or ordinary from now on. @returns each kind of server with how often it misbehaved until now */
  async become(isHostile: boolean): Promise<readonly (readonly [kind: string, misbehaved: number])[]> {
    this.#thread.postMessage(isHostile);
    const [misbehaved] = await once(this.#thread, 'message');
    return misbehaved;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
