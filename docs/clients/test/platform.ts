import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** A platform of its own, as `npm start` runs it. */
export interface Platform {
  readonly baseUrl: string;
  /** The folder of its files. */
  readonly directory: string;
  readonly workspaceId: string;
  /** An Owner's session token. */
  readonly token: string;
  /** Runs an operation as the Owner and returns its result. */
  call(operation: string, input: object): Promise<Record<string, any>>;
  /** Ends the gateway as a deployment does; it comes back by itself. */
  restartGateway(): void;
  /** Runs an operator's command. */
  admin(...args: string[]): void;
  stop(): Promise<void>;
}

/** Starts one, with these variables; rejects with what it printed when it does not come up. */
export async function startPlatform(env: Readonly<Record<string, string>> = {}): Promise<Platform> {
  const directory = mkdtempSync(join(tmpdir(), 'action-platform-clients-'));
  const PORT = String(await freePort());
  const child = spawn(process.execPath, ['libs/toolchain/src/run.mjs', 'deploy/local/src/main.ts'], {
    cwd: repository,
    env: { ...process.env, LOCAL_DIR: directory, PORT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
  const demo = JSON.parse(readFileSync(join(directory, 'demo.json'), 'utf8'));
  const { base_url: baseUrl, workspace_id: workspaceId, owner } = demo;
  return {
    baseUrl,
    directory,
    workspaceId,
    token: owner.token,
    async call(operation, input) {
      const response = await fetch(`${baseUrl}/api/v1/operations/${operation}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(input),
      });
      const { result, error } = (await response.json()) as any;
      if (!response.ok) throw new Error(`${operation}: ${error.code}: ${error.message}`);
      return result;
    },
    restartGateway() {
      process.kill(childWith(child.pid!, 'services/gateway/src/main.ts'), 'SIGTERM');
    },
    admin(...args) {
      const script = ['libs/toolchain/src/run.mjs', 'deploy/admin/src/main.ts', ...args];
      execFileSync(process.execPath, script, {
        cwd: repository,
        env: { ...process.env, LOCAL_DIR: directory },
      });
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'close');
      rmSync(directory, { recursive: true, force: true });
    },
  };
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
