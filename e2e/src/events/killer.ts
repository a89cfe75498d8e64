import { setTimeout as delay } from 'node:timers/promises';
import { processes } from '@action-platform/contracts';
import fc from 'fast-check';
import type { StackProcess } from '../stack-process.ts';

/** The processes of a stack, as parts of their command lines. */
export const victims = [...processes.map((name) => `services/${name}/`), 'mongod', 'nats-server'];
const KILLS = 10_000;
const POLL_MS = 100;

/** Kills one process of a stack after the other, each once the supervisor has restarted the one before. */
export class Killer {
  /** How often it killed a process of each kind. */
  readonly kills = new Map<string, number>();
  #isStopping = false;
  readonly #ended: Promise<void>;

  /** @param among parts of command lines of the processes to kill */
  constructor(stack: StackProcess, seed: number, among: readonly string[]) {
    this.#ended = this.#run(stack, seed, among);
  }

  /** Resolves when the last process runs again. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#ended;
  }

  async #run(stack: StackProcess, seed: number, among: readonly string[]): Promise<void> {
    const kill = fc.record({ victim: fc.constantFrom(...among), replica: fc.nat(1), restMs: fc.nat(4_000) });
    for (const { victim, replica, restMs } of fc.sample(kill, { seed, numRuns: KILLS })) {
      await delay(restMs);
      if (this.#isStopping) return;
      const running = stack.pids(victim);
      const pid = running[replica % running.length];
      if (pid === undefined) continue;
      process.kill(pid, 'SIGKILL');
      this.kills.set(victim, (this.kills.get(victim) ?? 0) + 1);
      for (let now = running; now.includes(pid) || now.length < running.length; now = stack.pids(victim))
        await delay(POLL_MS);
    }
  }
}
