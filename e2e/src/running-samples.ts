import { type ChildProcess, spawn } from 'node:child_process';
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

  /** Starts the first program of a page in a language. @returns its process, and a function with its output so far */
  start(page: string, language: string, env: NodeJS.ProcessEnv): [ChildProcess, output: () => string] {
    const [sample] = samplesOf(page, language);
    const child = spawn(...commandOf(language, sample!), {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    return [child, () => output];
  }
}
