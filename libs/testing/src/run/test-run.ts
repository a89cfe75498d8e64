import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '../test-folder.ts';
import { type BusAccount, BusAccounts } from './bus-accounts.ts';
import { type NodeProgram, RunningProgram } from './running-program.ts';
import { type NewDatabase, TestDatabases } from './test-databases.ts';

/**
 * The servers that the test files of one run share, in the process of Jest. Each server starts with the first request for it, so a run of
 * unit tests starts none. All servers end with the run, also when it is interrupted.
 */
export class TestRun {
  readonly #folder = makeTestFolder();
  readonly #accounts: BusAccounts;
  readonly #processes = new Map<string, RunningProgram>();
  readonly #databases: TestDatabases;

  /** @param report prints a line about a slow step, such as a download. */
  constructor(report: (line: string) => void) {
    this.#accounts = new BusAccounts(this.#folder, report);
    this.#databases = new TestDatabases(this.#folder, report);
  }

  /** Creates an unused database. */
  async newDatabase(what: string): Promise<NewDatabase> {
    return await this.#databases.create(what);
  }

  /** Lends an unused bus. */
  async lendBus(): Promise<BusAccount> {
    return await this.#accounts.lend();
  }

  /** Takes back a bus, which must have no connections left. */
  async takeBackBus(account: BusAccount): Promise<void> {
    await this.#accounts.takeBack(account);
  }

  /** Starts a program unless it runs already; resolves with its folder and output once it is ready. */
  async share(name: string, program: NodeProgram): Promise<{ folder: string; output: string }> {
    const folder = join(this.#folder, name);
    const shared = this.#processes.get(name) ?? new RunningProgram(program, folder);
    this.#processes.set(name, shared);
    await shared.ready();
    return { folder, output: shared.output };
  }

  /** Stops all servers and removes their files. */
  async stop(): Promise<void> {
    await Promise.allSettled([...this.#processes.values()].map((shared) => shared.stop()));
    await this.#accounts.stop();
    await this.#databases.stop();
    this.abandon();
  }

  /** Kills the databases and removes all files at once; the other processes end with this one. */
  abandon(): void {
    this.#databases.abandon();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
