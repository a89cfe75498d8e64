import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before } from 'node:test';
import { processesBelow } from '@action-platform/local-servers';
import { Operator } from '../../../e2e/src/operator.ts';

const OWNER = 'olga';

/** The platform of the run (`shared-platform.ts`), with a Workspace of its own for the tests of a file. */
export class Platform {
  /** The folder of its files. */
  readonly directory = process.env.PLATFORM_DIRECTORY!;
  readonly baseUrl: string = JSON.parse(readFileSync(join(this.directory, 'demo.json'), 'utf8')).base_url;
  /** An Owner's session token. */
  token = '';
  /** The id of its Workspace. */
  workspace = '';
  /** Resolves when the Workspace is there: Node.js does not run one hook after the other. */
  readonly ready = this.#makeWorkspace();

  constructor() {
    before(() => this.ready);
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

  /** Ends the gateway as a deployment does; the supervisor starts it again. */
  restartGateway(): void {
    const gateway = processesBelow(process.ppid).findLast(({ args }) =>
      args.includes('services/gateway/src/main.ts'),
    );
    process.kill(gateway!.pid, 'SIGTERM');
  }

  async #makeWorkspace(): Promise<void> {
    const operator = await Operator.of(this);
    this.workspace = await operator.workspace();
    this.token = await operator.member(this.workspace, OWNER, 'owner');
    await operator.connectMail(this.workspace, OWNER);
    await operator.close();
  }
}
