import { setTimeout as delay } from 'node:timers/promises';
import { processes } from '@action-platform/contracts';
import fc from 'fast-check';
import type { StackProcess } from '../stack-process.ts';

/** The processes of a stack, as parts of their command lines. */
export const victims = [...processes.map((name) => `services/${name}/`), 'mongod', 'nats-server'];
const KILLS = 10_000;
const POLL_MS = 100;
/** How long the platform may take to be ready again; then the next process is killed all the same, in milliseconds. */
const READY_WITHIN_MS = 60_000;

/** Kills one process of a stack after the other, each once the one before runs again and the whole platform is ready. */
export class Killer {
  /** How often it killed a process of each kind. */
  readonly kills = new Map<string, number>();
  #isStopping = false;
  readonly #ended: Promise<void>;

  /** @param among parts of command lines of the processes to kill */
  constructor(stack: StackProcess, seed: number, among: readonly string[]) {
    this.#ended = this.#run(stack, seed, among);
  }

  /** Resolves when the platform is ready after the last kill. */
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
      await this.#untilReady(stack, victim, { pid, count: running.length });
    }
  }

  async #untilReady(stack: StackProcess, victim: string, { pid, count }: { pid: number; count: number }) {
    for (const end = performance.now() + READY_WITHIN_MS; performance.now() < end; await delay(POLL_MS)) {
      const pids = stack.pids(victim);
      if (!pids.includes(pid) && pids.length >= count && (await stack.isReady())) return;
    }
  }
}
