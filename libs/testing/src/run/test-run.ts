import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '../test-folder.ts';
import { type BusAccount, BusAccounts } from './bus-accounts.ts';
import { type NodeProgram, SharedProcess } from './shared-process.ts';
import { type NewDatabase, TestDatabases } from './test-databases.ts';

/**
 * What the test files of one run share, in the process that runs Jest. Everything is started when the first test file
 * asks for it, so a run of unit tests starts nothing. All of it is gone after the run, also after one that is broken off.
 */
export class TestRun {
  readonly #folder = makeTestFolder();
  readonly #accounts: BusAccounts;
  readonly #processes = new Map<string, SharedProcess>();
  readonly #databases: TestDatabases;

  /** @param report is told in plain lines what takes time, such as a download. */
  constructor(report: (line: string) => void) {
    this.#accounts = new BusAccounts(this.#folder, report);
    this.#databases = new TestDatabases(this.#folder, report);
  }

  /** A database that nobody else uses. */
  async newDatabase(what: string): Promise<NewDatabase> {
    return await this.#databases.create(what);
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
    await this.#databases.stop();
    this.abandon();
  }

  /** Ends at once and removes its files; what else it has started ends with this process. */
  abandon(): void {
    this.#databases.abandon();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
