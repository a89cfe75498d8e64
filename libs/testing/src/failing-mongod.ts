import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalServer, startMongod } from '@action-platform/local-servers';
import { type Database, openDatabase } from '@action-platform/mongo';
import { makeTestFolder } from './test-folder.ts';

/** How a command fails: before its execution, after it, or by hanging first. */
type Failure =
  | { readonly errorCode: number }
  | { readonly blockConnection: true; readonly blockTimeMS: number }
  | { readonly writeConcernError: { readonly code: number; readonly errmsg: string } };

/** A mongod of one test file that fails commands on request. */
export class FailingMongod {
  readonly #mongod: LocalServer;
  readonly #folder: string;
  readonly #database: Database;

  private constructor(mongod: LocalServer, folder: string, database: Database) {
    this.#mongod = mongod;
    this.#folder = folder;
    this.#database = database;
  }

  static async start(): Promise<FailingMongod> {
    const folder = makeTestFolder();
    const [dataDir, logFile] = [join(folder, 'mongod'), join(folder, 'mongod.log')];
    const mongod = await startMongod({ dataDir, logFile, hasFailPoints: true });
    return new FailingMongod(mongod, folder, await openDatabase(mongod.url, 'admin'));
  }

  get url(): string {
    return this.#mongod.url;
  }

  /**
   * Makes every command of a name fail while `work` runs.
   *
   * @param namespace `database.collection`; commands to other collections succeed.
   */
  async whileFailing<Result>(
    { command, namespace, failure }: { command: string; namespace?: string; failure: Failure },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const data = { failCommands: [command], ...(namespace && { namespace }), ...failure };
    await this.#configure({ mode: 'alwaysOn', data });
    try {
      return await work();
    } finally {
      await this.#configure({ mode: 'off' });
    }
  }

  async #configure(failPoint: object): Promise<void> {
    await this.#database.db.command({ configureFailPoint: 'failCommand', ...failPoint });
  }

  async stop(): Promise<void> {
    await this.#database.close();
    await this.#mongod.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
