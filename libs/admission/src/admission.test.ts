import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Admission, type AdmissionLimits } from './admission.ts';
import type { FairnessKey } from './fairness-key.ts';

const KIB = 1024;
const greedy: FairnessKey = { workspace: 'greedy', caller: 'greta' };
const quiet: FairnessKey = { workspace: 'quiet', caller: 'quinn' };
const limits: AdmissionLimits = {
  maxTaken: 64,
  atWork: { most: 9, least: 9 },
  maxBytes: 1000 * KIB,
  maxWaitMs: 10_000,
  refusal: () => new Error('refused'),
};

/** Brings calls to a limiter, and records which it admitted and refused. */
class CallQueue {
  readonly admission: Admission;
  readonly begun: string[] = [];
  readonly refused: string[] = [];
  readonly #entering: Promise<void>[] = [];

  constructor(overrides: Partial<AdmissionLimits> = {}) {
    this.admission = new Admission({ ...limits, ...overrides });
  }

  /** Starts this number of calls; resolves when those that were not admitted at once wait, or are refused. */
  async arrive(fairnessKey: FairnessKey, times: number, { bytes = 1, waitsMs = 10_000 } = {}): Promise<void> {
    for (let i = 0; i < times; i++) this.#entering.push(this.#enter(fairnessKey, bytes, waitsMs));
    await delay(0);
  }

  /** Resolves when all have been admitted or refused. */
  async settled(): Promise<void> {
    await Promise.all(this.#entering);
  }

  async #enter(fairnessKey: FairnessKey, bytes: number, waitsMs: number): Promise<void> {
    try {
      await this.admission.enter({ fairnessKey, bytes, deadline: performance.now() + waitsMs });
      this.begun.push(fairnessKey.workspace);
    } catch (error) {
      expect(error).toEqual(new Error('refused'));
      this.refused.push(fairnessKey.workspace);
    }
  }

  async end(fairnessKey: FairnessKey, times = 1, bytes = 1): Promise<void> {
    const arrival = { fairnessKey, bytes, deadline: 0 };
    for (let i = 0; i < times; i++) this.admission.leave(arrival, 'call', 1);
    await delay(0);
  }
}

describe('calls are admitted', () => {
  test('at once below the limit, and the others as earlier ones leave', async () => {
    const calls = new CallQueue();
    await calls.arrive(greedy, 10);
    expect([calls.begun.length, calls.admission.waiting]).toEqual([8, 2]);
    await calls.end(greedy, 2);
    expect([calls.begun.length, calls.admission.waiting]).toEqual([10, 0]);
    await calls.end(greedy, 8);
    expect(calls.admission.taken).toBe(0);
  });

  test('ahead of calls that wait for their own share', async () => {
    const calls = new CallQueue();
    await calls.arrive(greedy, 20);
    await calls.arrive(quiet, 1);
    expect(calls.begun).toEqual([...Array(8).fill('greedy'), 'quiet']);
  });
});

describe('calls are refused with Retry-After', () => {
  test('when the calls of their Workspace take too much memory, at work or waiting', async () => {
    const calls = new CallQueue();
    await calls.arrive(greedy, 5, { bytes: 216 * KIB });
    expect([calls.begun.length, calls.refused.length]).toEqual([4, 1]);
    await calls.arrive(quiet, 1, { bytes: 100 * KIB });
    await calls.arrive(greedy, 1);
    expect(calls.refused).toEqual(['greedy']);
    await calls.end(greedy, 1, 216 * KIB);
    await calls.arrive(greedy, 1, { bytes: 216 * KIB });
    expect(calls.refused).toHaveLength(1);
  });

  test('when they have waited long enough', async () => {
    const calls = new CallQueue({ maxWaitMs: 1 });
    await calls.arrive(greedy, 10);
    await calls.settled();
    expect([calls.begun.length, calls.refused.length, calls.admission.taken]).toEqual([8, 2, 8]);
  });

  test('before their caller stops waiting', async () => {
    const calls = new CallQueue();
    await calls.arrive(greedy, 8);
    await calls.arrive(greedy, 1, { waitsMs: 300 });
    await Promise.race([calls.settled(), delay(300)]);
    expect(calls.refused).toHaveLength(1);
  });
});
