import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll } from '@jest/globals';
import { commandOf, samplesOf } from './docs-samples.ts';

/** Starts programs of a page, and ends those that still run after the tests of a file. */
export class RunningSamples {
  readonly #running: ChildProcess[] = [];

  constructor() {
    afterAll(() => {
      for (const child of this.#running) child.kill('SIGKILL');
    });
  }

  /** Starts a program of a page in a language, by default the first. @returns its process, and a function with its output so far */
  start(
    page: string,
    language: string,
    env: NodeJS.ProcessEnv,
    index = 0,
  ): [ChildProcess, output: () => string] {
    const sample = samplesOf(page, language)[index];
    const child = spawn(...commandOf(language, sample!), {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    return [child, () => output];
  }

  /** As {@link start} for a program that serves HTTP at the port `PORT` of this machine; resolves once it answers. */
  async serve(page: string, language: string, port: number, env: NodeJS.ProcessEnv) {
    const [child, output] = this.start(page, language, { ...env, PORT: String(port) });
    while (!(await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))) {
      if (child.exitCode !== null) throw new Error(output());
      await delay(50);
    }
    return [child, output] as const;
  }
}
