import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { TestCertificate } from '@action-platform/testing';

/** A fault of the connection that meets a byte. */
export interface ProxyFault {
  /** The sender whose bytes are counted. */
  readonly from: 'client' | 'server';
  /** The fault meets the first byte after this text and so many further bytes. */
  readonly after: string;
  readonly bytes?: number;
  /**
   * `cut`: both sides lose the connection. `swallow`: nothing passes any more, and the connection stays open. `late`: nothing passes
   * until `deliver`, also when the client has closed its connection meanwhile. `overtaken`: until the next APPEND on another
   * connection, just before it. `pass`: nothing, as the test acts.
   */
  readonly kind: 'cut' | 'swallow' | 'late' | 'overtaken' | 'pass';
}

/**
 * A proxy before an IMAP server that sees the plain text: the proxy has a certificate of its own, and connects to the server without TLS.
 * Each fault is for one connection, the next that reaches its byte.
 */
export class FaultyProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #planned: ProxyFault | undefined;
  #struck = Promise.withResolvers<void>();
  #late: (() => void)[] = [];
  #overtaken: (() => void)[] = [];

  private constructor(certificate: TestCertificate, plainPort: number) {
    const pem = certificate.server;
    this.#server = createServer({ cert: pem, key: pem }, (client) => this.#join(client, plainPort));
  }

  static async start(certificate: TestCertificate, plainPort: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(certificate, plainPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  plan(fault: ProxyFault | undefined): void {
    this.#planned = fault;
    this.#struck = Promise.withResolvers();
  }

  /** Whether the planned fault has met its byte. */
  get hasStruck(): boolean {
    return this.#planned === undefined;
  }

  /** Resolves when the planned fault meets its byte. */
  get struck(): Promise<void> {
    return this.#struck.promise;
  }

  /** Delivers what is late to the server, and ends those connections. */
  async deliver(): Promise<void> {
    for (const pass of [...this.#late.splice(0), ...this.#overtaken.splice(0)]) pass();
    // The server reads what it has received before it notices the end.
    await new Promise((resolve) => setTimeout(resolve, 150));
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #join(client: TLSSocket, plainPort: number): void {
    const server = connect(plainPort, '127.0.0.1');
    for (const end of [client, server]) this.#sockets.add(end.on('error', () => {}));
    const state = { isDead: false, isLate: false };
    client.on('data', this.#pass(client, server, 'client', state));
    server.on('data', this.#pass(server, client, 'server', state));
    client.on('close', () => {
      if (!state.isLate) server.destroy();
    });
    server.on('close', () => client.destroy());
  }

  #pass(
    source: Socket,
    target: Socket,
    from: ProxyFault['from'],
    state: { isDead: boolean; isLate: boolean },
  ) {
    let passed = '';
    return (chunk: Buffer) => {
      if (state.isDead) return;
      const fault = this.#planned;
      const text = passed + chunk.toString('latin1');
      const at = fault?.from === from ? text.indexOf(fault.after) : -1;
      const end = at === -1 ? Number.POSITIVE_INFINITY : at + fault!.after.length + (fault!.bytes ?? 0);
      const most = end - passed.length;
      passed = text;
      if (from === 'client' && chunk.includes('APPEND')) for (const pass of this.#overtaken.splice(0)) pass();
      if (fault === undefined || most >= chunk.length) {
        target.write(chunk);
        return;
      }
      this.#planned = undefined;
      this.#struck.resolve();
      if (fault.kind === 'pass') {
        target.write(chunk);
        return;
      }
      target.write(chunk.subarray(0, Math.max(0, most)));
      state.isDead = true;
      if (fault.kind === 'cut') {
        source.destroy();
        target.end();
      }
      if (fault.kind === 'late' || fault.kind === 'overtaken') {
        state.isLate = true;
        const rest = [chunk.subarray(Math.max(0, most))];
        source.on('data', (more: Buffer) => rest.push(more));
        const waiting = fault.kind === 'late' ? this.#late : this.#overtaken;
        waiting.push(() => target.end(Buffer.concat(rest)));
      }
    };
  }
}
