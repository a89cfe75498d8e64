import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { freePort, processesBelow } from '@action-platform/local-servers';
import { RunningProgram } from '../../../libs/testing/src/run/running-program.ts';

const repository = join(import.meta.dirname, '../../..');

/** A platform of its own for the tests of a file, as `npm start` runs it. */
export class Platform {
  baseUrl = '';
  /** The folder of its files. */
  readonly directory = mkdtempSync(join(tmpdir(), 'action-platform-clients-'));
  workspaceId = '';
  /** An Owner's session token. */
  token = '';
  /** Resolves when it has started: Node.js does not run one hook after the other. */
  readonly ready: Promise<void>;
  #program: RunningProgram | undefined;

  /** It starts before the tests, and ends after them. @param environment further variables */
  constructor(environment: () => Promise<Readonly<Record<string, string>>> = async () => ({})) {
    this.ready = environment().then((further) => this.#start(further));
    before(() => this.ready);
    after(async () => {
      await this.#program?.stop();
      rmSync(this.directory, { recursive: true, force: true });
    });
  }

  /** Sends a request as the Owner. */
  async fetch(method: string, path: string, body?: object, baseUrl = this.baseUrl): Promise<Response> {
    return await fetch(`${baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** Runs an operation as the Owner and returns its result. */
  async call(operation: string, input: object): Promise<Record<string, any>> {
    const response = await this.fetch('POST', `/api/v1/operations/${operation}`, input);
    const { result, error } = (await response.json()) as any;
    if (!response.ok) throw new Error(`${operation}: ${error.code}: ${error.message}`);
    return result;
  }

  /** Ends the gateway as a deployment does; it comes back by itself. */
  restartGateway(): void {
    const gateway = processesBelow(this.#program!.pid).findLast(({ args }) =>
      args.includes('services/gateway/src/main.ts'),
    );
    process.kill(gateway!.pid, 'SIGTERM');
  }

  /** Rejects with what it printed when it does not come up. */
  async #start(environment: Readonly<Record<string, string>>): Promise<void> {
    const scripts = ['libs/toolchain/src/run.mjs', 'deploy/local/src/main.ts'];
    const program = {
      args: scripts.map((script) => join(repository, script)),
      environment: { PORT: String(await freePort()), ...environment },
      folderVariables: ['LOCAL_DIR'],
      ready: 'The platform is ready',
    };
    this.#program = new RunningProgram(program, this.directory);
    await this.#program.ready();
    const demo = JSON.parse(readFileSync(join(this.directory, 'demo.json'), 'utf8'));
    this.baseUrl = demo.base_url;
    this.workspaceId = demo.workspace_id;
    this.token = demo.owner.token;
  }
}
