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
};

/** Admits calls and records their order. */
class Door {
  readonly admission: Admission;
  readonly begun: string[] = [];
  readonly refused: string[] = [];
  readonly #entering: Promise<void>[] = [];

  constructor(overrides: Partial<AdmissionLimits> = {}) {
    this.admission = new Admission({ ...limits, ...overrides });
  }

  /** Starts this number of calls; resolves when those that were not admitted at once wait, or are refused. */
  async bring(fairnessKey: FairnessKey, times: number, { bytes = 1, waitsMs = 10_000 } = {}): Promise<void> {
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
      expect(error).toMatchObject({ code: 'action_platform_unavailable', retryAfter: expect.any(Number) });
      this.refused.push(fairnessKey.workspace);
    }
  }

  async leave(fairnessKey: FairnessKey, times = 1, bytes = 1): Promise<void> {
    const arrival = { fairnessKey, bytes, deadline: 0 };
    for (let i = 0; i < times; i++) this.admission.leave(arrival, 'call', 1);
    await delay(0);
  }
}

describe('calls are admitted', () => {
  test('at once below the limit, and the others as earlier ones leave', async () => {
    const door = new Door();
    await door.bring(greedy, 10);
    expect([door.begun.length, door.admission.waiting]).toEqual([8, 2]);
    await door.leave(greedy, 2);
    expect([door.begun.length, door.admission.waiting]).toEqual([10, 0]);
    await door.leave(greedy, 8);
    expect(door.admission.taken).toBe(0);
  });

  test('ahead of calls that wait for their own share', async () => {
    const door = new Door();
    await door.bring(greedy, 20);
    await door.bring(quiet, 1);
    expect(door.begun).toEqual([...Array(8).fill('greedy'), 'quiet']);
  });

  test('in turns: a Workspace with few calls does not wait for one with many', async () => {
    const door = new Door({ atWork: { most: 1, least: 1 } });
    await door.bring(greedy, 30);
    await door.bring(quiet, 2);
    door.begun.length = 0;
    await door.leave(greedy);
    await door.leave(greedy);
    await door.leave(quiet);
    await door.leave(greedy);
    expect(door.begun).toEqual(['greedy', 'quiet', 'greedy', 'quiet']);
  });
});

describe('calls are refused with Retry-After', () => {
  test('when their Workspace holds its share, while another one is admitted', async () => {
    const door = new Door();
    await door.bring(greedy, 100);
    expect(door.refused.length).toBeGreaterThan(36);
    await door.bring(quiet, 1);
    expect(door.refused).not.toContain('quiet');
  });

  test('when the calls of their Workspace take too much memory, at work or waiting', async () => {
    const door = new Door();
    await door.bring(greedy, 5, { bytes: 216 * KIB });
    expect([door.begun.length, door.refused.length]).toEqual([4, 1]);
    await door.bring(quiet, 1, { bytes: 100 * KIB });
    await door.bring(greedy, 1);
    expect(door.refused).toEqual(['greedy']);
    await door.leave(greedy, 1, 216 * KIB);
    await door.bring(greedy, 1, { bytes: 216 * KIB });
    expect(door.refused).toHaveLength(1);
  });

  test('when they have waited long enough', async () => {
    const door = new Door({ maxWaitMs: 1 });
    await door.bring(greedy, 10);
    await door.settled();
    expect([door.begun.length, door.refused.length, door.admission.taken]).toEqual([8, 2, 8]);
  });

  test('before their caller stops waiting', async () => {
    const door = new Door();
    await door.bring(greedy, 8);
    await door.bring(greedy, 1, { waitsMs: 300 });
    await Promise.race([door.settled(), delay(300)]);
    expect(door.refused).toHaveLength(1);
  });
});
