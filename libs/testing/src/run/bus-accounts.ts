import { join } from 'node:path';
import { type BusKey, createBusKeys, natsAccountsConfig, publicKeysOf } from '@action-platform/bus';
import { type BusUser, defaultLimits, largestMessageBytes } from '@action-platform/contracts';
import { type LocalServer, startNatsServer } from '@action-platform/local-servers';

const maxMessageBytes = largestMessageBytes(defaultLimits);

/** Accounts per server: about as many as a run needs at once, because keys take time. When all are lent, another server starts. */
const ACCOUNTS_PER_SERVER = 4;

/** A separate bus: an account on a NATS server of the run, with the platform's users and their permissions. */
export interface BusAccount {
  readonly url: string;
  readonly keys: Readonly<Record<BusUser, BusKey>>;
}

/** Lends accounts on as many NATS servers as needed. */
export class BusAccounts {
  readonly #folder: string;
  readonly #servers: Promise<LocalServer>[] = [];
  readonly #free: BusAccount[] = [];
  readonly #report: (line: string) => void;
  #starting: Promise<void> | undefined;

  /** @param folder for the configuration and the log of the servers. */
  constructor(folder: string, report: (line: string) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  /** Lends an unused account. */
  async lend(): Promise<BusAccount> {
    for (;;) {
      const account = this.#free.pop();
      if (account !== undefined) return account;
      this.#starting ??= this.#startServer().finally(() => {
        this.#starting = undefined;
      });
      await this.#starting;
    }
  }

  /** Takes an account back. It must have no connections left. */
  takeBack(account: BusAccount): void {
    this.#free.push(account);
  }

  /** Stops the servers. */
  async stop(): Promise<void> {
    await Promise.all(this.#servers.map(async (server) => (await server).stop()));
  }

  async #startServer(): Promise<void> {
    const accounts = Array.from({ length: ACCOUNTS_PER_SERVER }, createBusKeys);
    const name = `nats-${this.#servers.length}`;
    const starting = startNatsServer({
      config: natsAccountsConfig(accounts.map(publicKeysOf), maxMessageBytes),
      configFile: join(this.#folder, `${name}.conf`),
      logFile: join(this.#folder, `${name}.log`),
      onProgress: this.#report,
    });
    this.#servers.push(starting);
    const { url } = await starting;
    this.#free.push(...accounts.map((keys) => ({ url, keys })));
  }
}
