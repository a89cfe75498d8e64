import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BusKey, createBusKeys, natsAccountsConfig, publicKeysOf } from '@action-platform/bus';
import { defaultLimits, largestMessageBytes } from '@action-platform/contracts/limits';
import type { BusUser } from '@action-platform/contracts/services';
import { type LocalServer, startNatsServer } from '@action-platform/local-servers';

const maxMessageBytes = largestMessageBytes(defaultLimits);

/** Accounts per server: about as many as a run needs at once, because keys take time. When all accounts are lent, another server starts. */
const ACCOUNTS_PER_SERVER = 4;

/** A separate bus: an account on a NATS server of the run, with the platform's users, their permissions, and no stored messages. */
export interface BusAccount {
  readonly url: string;
  readonly keys: Readonly<Record<BusUser, BusKey>>;
}

/** Lends accounts on as many NATS servers as needed, each once: an account keeps the messages that JetStream stored for it. */
export class BusAccounts {
  readonly #folder: string;
  readonly #servers = new Map<string, Lender>();
  readonly #free: BusAccount[] = [];
  readonly #report: (line: string) => void;
  #started = 0;
  #starting: Promise<void> | undefined;

  /** @param folder for the configuration, the log and the stored messages of the servers. */
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

  /** Takes back an account, which must have no connections left. The last account of a server ends the server. */
  async takeBack({ url }: BusAccount): Promise<void> {
    const lender = this.#servers.get(url)!;
    lender.accounts--;
    if (lender.accounts > 0) return;
    this.#servers.delete(url);
    await lender.server.stop();
    rmSync(lender.storeDir, { recursive: true, force: true });
  }

  /** Stops the servers. */
  async stop(): Promise<void> {
    await this.#starting?.catch(() => {});
    await Promise.all(Array.from(this.#servers.values(), ({ server }) => server.stop()));
  }

  async #startServer(): Promise<void> {
    const accounts = Array.from({ length: ACCOUNTS_PER_SERVER }, createBusKeys);
    const name = `nats-${this.#started++}`;
    const storeDir = join(this.#folder, name);
    const server = await startNatsServer({
      config: natsAccountsConfig(accounts.map(publicKeysOf), maxMessageBytes),
      configFile: join(this.#folder, `${name}.conf`),
      storeDir,
      logFile: join(this.#folder, `${name}.log`),
      onProgress: this.#report,
    });
    const { url } = server;
    this.#servers.set(url, { server, storeDir, accounts: accounts.length });
    this.#free.push(...accounts.map((keys) => ({ url, keys })));
  }
}

/** A server, and how many of its accounts are not back yet. */
interface Lender {
  readonly server: LocalServer;
  readonly storeDir: string;
  accounts: number;
}
