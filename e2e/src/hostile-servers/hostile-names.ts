import { once } from 'node:events';
import https from 'node:https';
import { createServer, type Server } from 'node:net';
import { listen } from '@action-platform/testing';
import { NameServer, type Zone } from './name-server.ts';

/** The host of every honest endpoint. */
export const HONEST_HOST = 'honest.test';
/** The networks that the platform may connect to, in place of the public ones: a test connects to this machine alone. */
export const PUBLIC_NETWORKS = '127.0.0.1/32,127.1.0.0/16';

const MANY = Array.from({ length: 1_000 }, (_, n) => `127.1.${n >> 8}.${n & 255}`);
const [HERE, PUBLIC, PRIVATE] = ['127.0.0.1', '127.1.0.1', '127.2.0.1'];

/** The answer of a name server about a name of each kind, by the number of earlier questions. A look-up asks twice, for IPv4 and for IPv6. */
const hostile = {
  'alias-alone': () => ({ alias: 'nowhere.test' }),
  'thousand-addresses': () => ({ addresses: MANY }),
  'private-after-public': (asked: number) => ({ addresses: [asked % 4 < 2 ? PUBLIC : PRIVATE] }),
  silent: () => undefined,
} as const satisfies Record<string, (asked: number) => ReturnType<Zone>>;

const nameKinds = Object.keys(hostile) as (keyof typeof hostile)[];

/** The names, as a certificate has them. */
export const NAMES = [HONEST_HOST, ...nameKinds.map((kind) => `*.${kind}.test`)];

/**
 * A name server with an honest name, and with names that are those of an ordinary endpoint until they are hostile. At the port of this
 * endpoint the private address has a server that no connection may reach.
 */
export class HostileNames {
  readonly #names: NameServer;
  readonly #port: number;
  readonly #endpoint: https.Server;
  readonly #trap: Server;
  /** How often each hostile name was asked for. */
  readonly #asked = new Map<string, number>();
  #isHostile = false;
  /** How many connections reached the private address. */
  reached = 0;

  private constructor(names: NameServer, port: number, endpoint: https.Server, trap: Server) {
    this.#names = names;
    this.#port = port;
    this.#endpoint = endpoint;
    this.#trap = trap;
    names.zone = (name) => this.#recordsOf(name);
    trap.on('connection', (socket) => {
      this.reached++;
      socket.destroy();
    });
  }

  /** @param pem the certificate and private key of the endpoint */
  static async start(pem: string): Promise<HostileNames> {
    const names = await NameServer.start();
    const endpoint = https.createServer({ cert: pem, key: pem }, (_request, response) => response.end('{}'));
    const port = await listen(endpoint);
    const trap = createServer().listen(port, PRIVATE);
    await once(trap, 'listening');
    return new HostileNames(names, port, endpoint, trap);
  }

  /** Changes what the names are. A connection that is kept from before would ask for no name. */
  set isHostile(isHostile: boolean) {
    this.#isHostile = isHostile;
    this.#endpoint.closeAllConnections();
  }

  /** The address of the name server. */
  get server(): string {
    return this.#names.address;
  }

  /** The names of a tenant, one of each kind. */
  namesOf(tenant: number): string[] {
    return nameKinds.map((kind) => `tenant-${tenant}.${kind}.test`);
  }

  /** The URL of the endpoint by this name. */
  urlOf(name: string): string {
    return `https://${name}:${this.#port}/hook`;
  }

  /** How many of the names were asked for. */
  get askedFor(): number {
    return this.#asked.size;
  }

  stop(): void {
    this.#names.stop();
    this.#trap.close();
    this.#endpoint.closeAllConnections();
    this.#endpoint.close();
  }

  #recordsOf(name: string): ReturnType<Zone> {
    const kind = nameKinds.find((one) => name.endsWith(`.${one}.test`));
    if (name === HONEST_HOST || (kind !== undefined && !this.#isHostile)) return { addresses: [HERE] };
    if (kind === undefined) return {};
    const before = this.#asked.get(name) ?? 0;
    this.#asked.set(name, before + 1);
    return hostile[kind](before);
  }
}
