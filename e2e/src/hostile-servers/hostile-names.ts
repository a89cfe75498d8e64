import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { NameServer, type Zone } from './name-server.ts';

/** The host of every honest endpoint. */
export const HONEST_HOST = 'honest.test';
/** The networks that the platform may connect to, in place of the public ones: a test connects to this machine alone. */
export const PUBLIC_NETWORKS = '127.0.0.1/32,127.1.0.0/16';

const MANY = Array.from({ length: 1_000 }, (_, n) => `127.1.${n >> 8}.${n & 255}`);
const [PUBLIC, PRIVATE] = ['127.1.0.1', '127.2.0.1'];

/** What a name server says about a name of each kind, by how often it was asked before. A look-up asks twice, for IPv4 and for IPv6. */
const hostile = {
  'alias-alone': () => ({ alias: 'nowhere.test' }),
  'thousand-addresses': () => ({ addresses: MANY }),
  'private-after-public': (asked: number) => ({ addresses: [asked % 4 < 2 ? PUBLIC : PRIVATE] }),
  silent: () => undefined,
} as const satisfies Record<string, (asked: number) => ReturnType<Zone>>;

const nameKinds = Object.keys(hostile) as (keyof typeof hostile)[];

/** A name server with hostile names beside an honest one, and a server at the private address that no connection may reach. */
export class HostileNames {
  readonly #names: NameServer;
  readonly #trap: Server;
  /** How often each hostile name was asked for. */
  readonly #asked = new Map<string, number>();
  /** Before, the hostile names have no records. */
  isHostile = false;
  /** How many connections reached the private address. */
  reached = 0;

  private constructor(names: NameServer, trap: Server) {
    this.#names = names;
    this.#trap = trap;
    names.zone = (name) => this.#recordsOf(name);
    trap.on('connection', (socket) => {
      this.reached++;
      socket.destroy();
    });
  }

  static async start(): Promise<HostileNames> {
    const names = await NameServer.start();
    const trap = createServer().listen(0, PRIVATE);
    await once(trap, 'listening');
    return new HostileNames(names, trap);
  }

  /** The address of the name server. */
  get server(): string {
    return this.#names.address;
  }

  /** The names of a tenant, one of each kind. */
  namesOf(tenant: number): string[] {
    return nameKinds.map((kind) => `tenant-${tenant}.${kind}.test`);
  }

  /** The URL of an endpoint with this name. */
  urlOf(name: string): string {
    return `https://${name}:${(this.#trap.address() as AddressInfo).port}/hook`;
  }

  /** How many of the names were asked for. */
  get askedFor(): number {
    return this.#asked.size;
  }

  stop(): void {
    this.#names.stop();
    this.#trap.close();
  }

  #recordsOf(name: string): ReturnType<Zone> {
    if (name === HONEST_HOST) return { addresses: ['127.0.0.1'] };
    const kind = nameKinds.find((one) => name.endsWith(`.${one}.test`));
    if (kind === undefined || !this.isHostile) return {};
    const before = this.#asked.get(name) ?? 0;
    this.#asked.set(name, before + 1);
    return hostile[kind](before);
  }
}
