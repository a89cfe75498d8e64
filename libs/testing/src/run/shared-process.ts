import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tiedToParent } from '@action-platform/local-servers';

/** A Node.js program that says when it is ready. */
export interface NodeProgram {
  /** The script, relative to the repository, and its arguments. */
  readonly args: readonly string[];
  /** Its environment, besides the one of the test run. */
  readonly environment: Readonly<Record<string, string>>;
  /** The variable that tells it which folder is its own. */
  readonly folderVariable: string;
  /** What it prints when it is ready. */
  readonly ready: string;
}

/** A process that serves every test file of a run. */
export class SharedProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #ready = Promise.withResolvers<void>();
  /** What it has printed. */
  output = '';

  constructor({ args, environment, folderVariable, ready }: NodeProgram, folder: string) {
    const tied = tiedToParent(process.execPath, args);
    this.#child = spawn(tied.command, tied.args, {
      env: { ...process.env, ...environment, [folderVariable]: folder },
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

  /** Resolves when it is ready; rejects with what it printed when it ends before. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Asks it to end and waits until it has. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#ended.catch(() => {});
  }
}
