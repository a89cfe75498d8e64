import assert from 'node:assert/strict';
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SharedStack } from '../shared-stack.ts';

/** Foreign servers may log errors, but nothing that a caller sent. */
const FOREIGN = /^(mongod|nats-server)/;

/** Checks that the processes of a stack run, and log neither errors nor what callers sent. */
export class StackHealth {
  readonly #stack: SharedStack;
  readonly #mark: string;
  readonly #folder: string;
  /** How many bytes of each log were read. */
  readonly #read = new Map<string, number>();

  /** @param mark a text that no log line may contain. */
  constructor(stack: SharedStack, mark: string) {
    this.#stack = stack;
    this.#mark = mark;
    this.#folder = join(stack.directory, 'logs');
    for (const name of this.#logs()) this.#read.set(name, statSync(join(this.#folder, name)).size);
  }

  /** @throws AssertionError when a process has ended, or a log has a forbidden new line. */
  async check(): Promise<void> {
    const { status } = await fetch(`${this.#stack.gateways[0]}/livez`);
    assert.equal(status, 200, `/livez answers ${status}`);
    // Reads all lines before it judges any: a line left behind would count for the next input.
    const found = this.#logs().map((name) => [name, this.#newLines(name)] as const);
    for (const [name, lines] of found) requireHarmless(name, lines, this.#mark);
    assert(!(await this.#stack.output()).includes('starting it again'), 'a process has ended');
  }

  #logs(): string[] {
    return readdirSync(this.#folder).filter((name) => name.endsWith('.log'));
  }

  /** The lines since the last call; the next call reads an incomplete last line. */
  #newLines(name: string): string[] {
    const file = openSync(join(this.#folder, name), 'r');
    const from = this.#read.get(name) ?? 0;
    const bytes = Buffer.alloc(statSync(join(this.#folder, name)).size - from);
    readSync(file, bytes, 0, bytes.length, from);
    closeSync(file);
    const end = bytes.lastIndexOf('\n') + 1;
    this.#read.set(name, from + end);
    return bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  }
}

/** @throws AssertionError when a line of a log contains the mark, or is an error or a crash of a process of the platform */
function requireHarmless(log: string, lines: readonly string[], mark: string): void {
  for (const line of lines) {
    assert(!line.includes(mark), `the log ${log} contains what a caller sent`);
    if (FOREIGN.test(log)) continue;
    assert(line.startsWith('{'), `the log ${log} says: ${line.slice(0, 1000)}`);
    const { level } = JSON.parse(line) as { level: string };
    assert(!/^(error|fatal)$/.test(level), `the log ${log} says: ${line.slice(0, 1000)}`);
  }
}
