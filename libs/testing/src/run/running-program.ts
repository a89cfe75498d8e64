import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tiedToParent } from '@action-platform/local-servers';

/** A Node.js program that prints when it is ready. */
export interface NodeProgram {
  /** The script, relative to the repository, and its arguments. */
  readonly args: readonly string[];
  /** Variables beyond the environment of the test run. */
  readonly environment: Readonly<Record<string, string>>;
  /** The variables with the path of its folder. */
  readonly folderVariables: readonly string[];
  /** The text that it prints when it is ready. */
  readonly ready: string;
}

/** A process of a program, which ends with this one. */
export class RunningProgram {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #ready = Promise.withResolvers<void>();
  /** Its output so far. */
  output = '';

  constructor({ args, environment, folderVariables, ready }: NodeProgram, folder: string) {
    const tied = tiedToParent(process.execPath, args);
    this.#child = spawn(tied.command, tied.args, {
      env: {
        ...process.env,
        ...environment,
        ...Object.fromEntries(folderVariables.map((name) => [name, folder])),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#ended = once(this.#child, 'close');
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
        if (this.output.includes(ready)) this.#ready.resolve();
      });
    }
    const ended = () => this.#ready.reject(new Error(`${args.join(' ')} ended:\n${this.output}`));
    void this.#ended.then(ended, ended);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Resolves when it is ready; rejects with its output when it ends before. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Signals it to end, and resolves at its end with its exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#ended.catch(() => {});
    return this.#child.exitCode;
  }
}
