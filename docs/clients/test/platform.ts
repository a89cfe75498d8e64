import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

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
  #process: ChildProcess | undefined;

  /** It starts before the tests, and ends after them. @param environment further variables */
  constructor(environment: () => Promise<Readonly<Record<string, string>>> = async () => ({})) {
    this.ready = environment().then((further) => this.#start(further));
    before(() => this.ready);
    after(() => this.#stop());
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
    process.kill(childWith(this.#process!.pid!, 'services/gateway/src/main.ts'), 'SIGTERM');
  }

  /** Runs an operator's command. */
  admin(...args: string[]): void {
    const script = ['libs/toolchain/src/run.mjs', 'deploy/admin/src/main.ts', ...args];
    const env = { ...process.env, LOCAL_DIR: this.directory };
    execFileSync(process.execPath, script, { cwd: repository, env });
  }

  /** Rejects with what it printed when it does not come up. */
  async #start(environment: Readonly<Record<string, string>>): Promise<void> {
    const PORT = String(await freePort());
    const child = spawn(process.execPath, ['libs/toolchain/src/run.mjs', 'deploy/local/src/main.ts'], {
      cwd: repository,
      env: { ...process.env, LOCAL_DIR: this.directory, PORT, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    const ready = Promise.withResolvers<void>();
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (output.includes('The platform is ready')) ready.resolve();
      });
    }
    child.once('close', () => ready.reject(new Error(output)));
    await ready.promise;
    const demo = JSON.parse(readFileSync(join(this.directory, 'demo.json'), 'utf8'));
    this.baseUrl = demo.base_url;
    this.workspaceId = demo.workspace_id;
    this.token = demo.owner.token;
  }

  async #stop(): Promise<void> {
    this.#process?.kill('SIGTERM');
    if (this.#process?.exitCode === null) await once(this.#process, 'close');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A port without a server. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** The process below another one whose command line has this in it, and that has no child which has it too. */
function childWith(root: number, command: string): number {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) +(.*)$/.exec(line)!)
    .map(([, pid, parent, args]) => ({ pid: Number(pid), parent: Number(parent), args: args! }));
  const below = (parent: number): typeof processes =>
    processes
      .filter((process) => process.parent === parent)
      .flatMap((process) => [process, ...below(process.pid)]);
  return below(root).findLast(({ args }) => args.includes(command))!.pid;
}
