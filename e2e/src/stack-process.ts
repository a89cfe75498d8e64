import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { admin } from '@action-platform/admin';
import { type DatabaseUser, paths } from '@action-platform/deployment';
import { type Demo, localDirectory, readJsonFile } from '@action-platform/local';
import { freePort } from '@action-platform/local-servers';
import { makeTestFolder, RunningProgram } from '@action-platform/testing';
import { send } from './http.ts';

/** The script of `npm start`. */
export const NPM_START = ['libs/toolchain/src/run.mjs', 'deploy/local/src/main.ts'];
/** The line of `npm start` when the platform is ready. */
export const READY = 'The platform is ready';

/** A platform as `npm start` runs it, in a directory of its own, with any number of starts. */
export class StackProcess {
  readonly directory = makeTestFolder();
  #port: number | undefined;
  #running: RunningProgram | undefined;
  /** Variables for its processes. */
  readonly environment: Record<string, string> = {};

  /** The output since its last start. */
  get output(): string {
    return this.#running?.output ?? '';
  }

  /** The port of its first gateway. */
  async port(): Promise<number> {
    this.#port ??= await freePort();
    return this.#port;
  }

  /** Starts it and resolves when it prints that it is ready; rejects with its output when it ends before. */
  async start(...args: string[]): Promise<Demo> {
    const environment = { ...this.environment, PORT: String(await this.port()) };
    const program = {
      args: [...NPM_START, ...args],
      environment,
      folderVariables: ['LOCAL_DIR'],
      ready: READY,
    };
    this.#running = new RunningProgram(program, this.directory);
    await this.#running.ready();
    return readJsonFile<Demo>(join(this.directory, 'demo.json'))!;
  }

  /** Stops it as Ctrl-C does and resolves with its exit code. */
  async stop(): Promise<number | null> {
    return (await this.#running?.stop()) ?? null;
  }

  /** Stops it and removes its directory. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** The ids of its processes with this text in their command lines. */
  pids(command: string): number[] {
    const found = new Set([this.#running?.pid ?? -1]);
    const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => /^ *(\d+) +(\d+) +(.*)$/.exec(line)!)
      .map(([, pid, parent, args]) => ({ pid: Number(pid), parent: Number(parent), args: args! }));
    for (let known = 0; known < found.size; ) {
      known = found.size;
      for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid);
    }
    return processes
      .filter(({ pid, args }) => found.has(pid) && args.includes(command))
      .map(({ pid }) => pid);
  }

  /** The URL with which a user of its database connects. */
  databaseUrl(user: DatabaseUser): string {
    return databaseUrl(this.directory, user);
  }

  /** Whether each process of its services says that it is ready. */
  async isReady(): Promise<boolean> {
    const { replicas } = (await this.admin('status').catch(() => ({ replicas: [] }))) as {
      replicas: { pid: number; state: string }[];
    };
    const ready = new Set(replicas.filter(({ state }) => state === 'ok').map(({ pid }) => pid));
    return this.pids('services/').every((pid) => ready.has(pid));
  }

  /** Runs the admin command against it and returns what it prints. */
  admin(...args: string[]): Promise<Record<string, unknown>> {
    return runAdmin(this.directory, args);
  }
}

/** The URL with which a user of the database of the platform in a directory connects. */
export function databaseUrl(directory: string, user: DatabaseUser): string {
  const { keys } = localDirectory({ LOCAL_DIR: directory });
  return readFileSync(join(keys, paths.databaseUrl(user)), 'utf8').trim();
}

/** Runs the admin command against the platform in a directory and returns what it prints. @throws Error with its message */
export async function runAdmin(directory: string, args: readonly string[]): Promise<Record<string, unknown>> {
  const printed = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof printed) => ({
    write: (text: string) => {
      printed[name] += text;
    },
  });
  const code = await admin(
    args,
    { LOCAL_DIR: directory },
    { stdout: sink('stdout'), stderr: sink('stderr') },
  );
  if (code !== 0) throw new Error(printed.stderr);
  return JSON.parse(printed.stdout);
}

/** The answer to a call of an operation. */
interface Executed<Result> {
  readonly status: number;
  readonly body: { readonly result?: Result; readonly error?: { readonly code: string } };
}

/** Executes an operation over HTTP; status 0 stands for a lost answer. */
export async function execute<Result = never>(
  baseUrl: string,
  token: string,
  operation: string,
  body: object,
): Promise<Executed<Result>> {
  const path = `/api/v1/operations/${operation}`;
  const answer = await send(baseUrl, { method: 'POST', path, token, body }).catch(() => undefined);
  return { status: answer?.status ?? 0, body: JSON.parse(answer?.text ?? '{}') };
}
