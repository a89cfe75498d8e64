import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { admin } from '@action-platform/admin';
import { type ProcessName, processes } from '@action-platform/contracts/services';
import { type DatabaseUser, paths } from '@action-platform/deployment';
import { type Demo, localDirectory, readJsonFile } from '@action-platform/local';
import { freePort, processesBelow } from '@action-platform/local-servers';
import { makeTestFolder, RunningProgram, untilWell } from '@action-platform/testing';
import type { Json } from '@action-platform/testing/http';
import { type Operate, Operator } from './operator.ts';

/** The script of `npm start`. */
export const NPM_START = ['libs/toolchain/src/run.mjs', 'deploy/local/src/main.ts'].map((script) =>
  join(import.meta.dirname, '../..', script),
);
/** The line of `npm start` when the platform is ready. */
export const READY = 'The platform is ready';

/** Two replicas of these processes; by default of all. */
export const twoOf = (...names: ProcessName[]): string =>
  (names.length === 0 ? processes : names).map((name) => `${name}=2`).join();

/**
 * A platform as `npm start` runs it, in a directory of its own, with any number of starts. Its supervisor starts a process again that has
 * ended.
 */
export class LocalPlatform {
  readonly directory = makeTestFolder();
  /** Where the platform keeps what. */
  readonly places = localDirectory({ LOCAL_DIR: this.directory });
  /** Variables for its processes. */
  readonly environment: Record<string, string>;
  readonly #replicas: string;
  #port: number | undefined;
  #running: RunningProgram | undefined;
  #operator: Operator | undefined;
  demo!: Demo;

  constructor(replicas = '', environment: Readonly<Record<string, string>> = {}) {
    this.#replicas = replicas;
    this.environment = { ...environment };
  }

  /** The output since its last start. */
  get output(): string {
    return this.#running?.output ?? '';
  }

  get gateways(): readonly string[] {
    return this.demo.gateways;
  }

  get mail(): string {
    return this.places.mail;
  }

  get operator(): Operator {
    return this.#operator!;
  }

  readonly operate: Operate = (call, input) => this.operator.call(call, input);

  async token(workspace: string, user: string): Promise<string> {
    return await this.operator.token(workspace, user);
  }

  /** The port of its first gateway. */
  async port(): Promise<number> {
    this.#port ??= await freePort();
    return this.#port;
  }

  /** Starts it and resolves when it prints that it is ready; rejects with its output when it ends before. */
  async start(): Promise<Demo> {
    const program = {
      args: [...NPM_START, ...(this.#replicas === '' ? [] : ['--replicas', this.#replicas])],
      environment: { ...this.environment, PORT: String(await this.port()) },
      folderVariables: ['LOCAL_DIR'],
      ready: READY,
    };
    this.#running = new RunningProgram(program, this.directory);
    await this.#running.ready();
    this.#operator = await Operator.of(this);
    this.demo = readJsonFile<Demo>(join(this.directory, 'demo.json'))!;
    return this.demo;
  }

  async ready(): Promise<void> {
    await untilWell(this.gateways);
  }

  /** Connects its operator anew, with the present key. */
  async reconnect(): Promise<void> {
    const former = this.#operator;
    this.#operator = await Operator.of(this);
    await former?.close();
  }

  /** Stops it as Ctrl-C does and resolves with its exit code; its data stay. */
  async stop(): Promise<number | null> {
    await this.#operator?.close();
    this.#operator = undefined;
    return (await this.#running?.stop()) ?? null;
  }

  /** Stops it and removes its directory. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** The ids of its processes with this text in their command lines. */
  pids(command: string): number[] {
    return processesBelow(this.#running?.pid ?? -1)
      .filter(({ args }) => args.includes(command))
      .map(({ pid }) => pid);
  }

  databaseUrl(user: DatabaseUser): string {
    return databaseUrl(this.directory, user);
  }

  /** Whether each process of its services says that it is ready. */
  async isReady(): Promise<boolean> {
    const { replicas } = await this.admin('status').catch(() => ({ replicas: [] }));
    const ready = Map.groupBy(replicas as { pid: number; state: string }[], ({ state }) => state).get('ok');
    return this.pids('services/').every((pid) => ready?.some((replica) => replica.pid === pid));
  }

  /** Runs the admin command against it and returns what it prints. */
  admin(...args: string[]): Promise<Json> {
    return runAdmin(this.directory, args);
  }
}

/** The URL with which a user of the database of the platform in a directory connects. */
export function databaseUrl(directory: string, user: DatabaseUser): string {
  const { keys } = localDirectory({ LOCAL_DIR: directory });
  return readFileSync(join(keys, paths.databaseUrl(user)), 'utf8').trim();
}

/** Runs the admin command against the platform in a directory and returns what it prints. @throws Error with its message */
export async function runAdmin(directory: string, args: readonly string[]): Promise<Json> {
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
