import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalServer, startMongod } from '@action-platform/local-servers';
import { openDatabase } from '@action-platform/mongo';
import { makeTestFolder } from '../test-folder.ts';
import { type BusAccount, BusAccounts } from './bus-accounts.ts';
import { type NodeProgram, SharedProcess } from './shared-process.ts';

/**
 * What the test files of one run share, in the process that runs Jest. Everything is started when the first test file
 * asks for it, so a run of unit tests starts nothing. All of it is gone after the run, also after one that is broken off.
 */
export class TestRun {
  readonly #folder = makeTestFolder();
  readonly #name = `test-${randomUUID().slice(0, 8)}`;
  readonly #report: (line: string) => void;
  readonly #accounts: BusAccounts;
  readonly #processes = new Map<string, SharedProcess>();
  #mongod: Promise<LocalServer> | undefined;
  #mongodPid: number | undefined;

  /** @param report is told in plain lines what takes time, such as a download. */
  constructor(report: (line: string) => void) {
    this.#report = report;
    this.#accounts = new BusAccounts(this.#folder, report);
  }

  /** A MongoDB, the user's own when `MONGODB_URL` is set, and what the names of the run's databases begin with. */
  async mongodb(): Promise<{ url: string; prefix: string }> {
    const { MONGODB_URL } = process.env;
    return { url: MONGODB_URL || (await this.#startMongod()).url, prefix: this.#name };
  }

  /** A bus that nobody else is on. */
  async lendBus(): Promise<BusAccount> {
    return await this.#accounts.lend();
  }

  /** Takes back a bus that nobody is connected to any more. */
  async takeBackBus(account: BusAccount): Promise<void> {
    this.#accounts.takeBack(account);
  }

  /** Starts a program unless it runs already; resolves, when it is ready, with its folder and what it has printed. */
  async share(name: string, program: NodeProgram): Promise<{ folder: string; output: string }> {
    const folder = join(this.#folder, name);
    const shared = this.#processes.get(name) ?? new SharedProcess(program, folder);
    this.#processes.set(name, shared);
    await shared.ready();
    return { folder, output: shared.output };
  }

  /** Ends everything and removes what it has left. */
  async stop(): Promise<void> {
    await Promise.allSettled([...this.#processes.values()].map((shared) => shared.stop()));
    await this.#accounts.stop();
    if (process.env.MONGODB_URL) await this.#dropDatabases(process.env.MONGODB_URL);
    await this.#mongod?.catch(() => {});
    this.abandon();
  }

  /** Ends at once and removes its files; what else it has started ends with this process. */
  abandon(): void {
    // Nobody needs its data: there is no reason to let it shut down in order.
    if (this.#mongodPid !== undefined) process.kill(this.#mongodPid, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #startMongod(): Promise<LocalServer> {
    this.#mongod ??= startMongod({
      dataDir: join(this.#folder, 'mongod'),
      logFile: join(this.#folder, 'mongod.log'),
      onProgress: this.#report,
    });
    const mongod = await this.#mongod;
    this.#mongodPid = mongod.pid;
    return mongod;
  }

  async #dropDatabases(url: string): Promise<void> {
    const { client, close } = await openDatabase(url, 'admin');
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    const ours = databases.filter(({ name }) => name.startsWith(this.#name));
    await Promise.all(ours.map(({ name }) => client.db(name).dropDatabase()));
    await close();
  }
}
