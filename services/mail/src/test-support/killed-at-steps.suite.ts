import { setTimeout as delay } from 'node:timers/promises';
import type { Principal } from '@action-platform/contracts/authority';
import type { TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TestMail } from './test-mail.ts';

/** How many processes are killed; `npm run e2e -- adapters` kills more. */
const RUNS = Number(process.env.ADAPTER_RUNS ?? 8);
/** The timeout of the calls of the first wave, in milliseconds; later ones get more, for a busy machine. */
const LOST_AFTER_MS = 2_000;
/** The timeout of the calls that must resolve the draft, in milliseconds. */
const IN_TIME_MS = 10_000;
/** The calls at once: every call goes to one of two processes. */
const WAVE = 3;

const email = { idempotency_key: 'key-1', subject: 'Grüße', body: 'one\r\ntwo\n' };

/** A mail system with faults that a test plans. */
export interface FaultySystem<Fault, Member extends Principal> {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Variables for the processes of the service. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A Member of a new Workspace with a mailbox in it. */
  member(mail: TestMail): Promise<Member>;
  /** Plans the fault of the next process that comes to it, or none. */
  plan(fault: Fault | undefined): void;
  /** Whether a process has met the planned fault; `struck` resolves then. */
  readonly hasStruck: boolean;
  readonly struck: Promise<void>;
  /** Does what was asked over connections that have ended. */
  deliver(): Promise<void>;
  /** How many drafts a mailbox has, and whether a search finds them. */
  drafts(member: Member): Promise<{ count: number; areFound: boolean }>;
  /** Lets the time pass after which a search finds every draft. */
  pass?(member: Member): void;
}

/** A step of a submission at which its process is killed. The process meets the last fault then, and others in attempts before. */
export type Step<Fault> = readonly [step: string, ...faults: Fault[]];

/** A draft is made once, at whichever step its process is killed. */
export function killedAtStepsSuite<Fault, Member extends Principal>(
  system: FaultySystem<Fault, Member>,
  steps: readonly Step<Fault>[],
): void {
  const mail = new TestMail();
  const spawn = () => mail.spawn(system.environment);
  let victim: TestProcess;
  beforeAll(async () => {
    await system.start();
    victim = await spawn();
  });
  afterAll(async () => {
    await mail.stop();
    await system.stop();
  });

  /** Kills a process at the last of the faults that it meets, beside another one. */
  async function killAfter(faults: readonly Fault[], laterMs: number): Promise<void> {
    const member = await system.member(mail);
    const call = async (timeoutMs?: number): Promise<string> => {
      const answer = await mail.send(member, email, timeoutMs).catch(() => undefined);
      // 503: nothing was done, as the mailbox has four calls, or no process is connected.
      if (answer === undefined || answer.status === 503) return 'lost';
      return answer.result.status;
    };
    const answers: Promise<string>[] = [];
    let isDrafted = false;
    /** Whether a process met a fault so late that another attempt could begin already. */
    let isLate = false;
    const note = (status: string) => {
      isDrafted ||= status === 'drafted';
    };
    /** Lets the time pass after which another attempt may begin. */
    const pass = async () => {
      system.pass?.(member);
      await mail.expireLeases();
    };
    const other = await spawn();
    for (const [index, fault] of faults.entries()) {
      system.plan(fault);
      // `other` must not meet the fault. The calls that it gets now are beside those of the other later.
      other.signal('SIGSTOP');
      for (let timeMs = LOST_AFTER_MS; !system.hasStruck && !isDrafted; timeMs += LOST_AFTER_MS) {
        isLate = false;
        const wave = Array.from({ length: WAVE }, () => call(timeMs));
        answers.push(...wave);
        for (const answer of wave) void answer.then(note);
        await Promise.race([system.struck, Promise.all(wave)]);
        // A busy process may come to no fault in its time. Most of its attempts have ended then.
        if (!system.hasStruck) {
          await pass();
          isLate = system.hasStruck;
        }
      }
      if (index === faults.length - 1) {
        await delay(laterMs);
        victim.signal('SIGKILL');
        await victim.exited;
        system.plan(undefined);
      }
      other.signal('SIGCONT');
      for (const status of await Promise.all(answers.splice(0))) {
        expect(['drafted', 'unknown', 'lost']).toContain(status);
      }
      await system.deliver();
      // A lease must not end before the attempts of the killed process.
      if (index < faults.length - 1) await pass();
    }
    victim = other;

    /** The next answer: the bus may need a moment to notice which process has ended, and which one goes on. */
    const status = async () => {
      for (let tries = 0; tries < 20; tries++) {
        const answer = await call(IN_TIME_MS);
        if (answer !== 'lost') return answer;
        await delay(250);
      }
      throw new Error('no replica answers');
    };
    const { count, areFound } = await system.drafts(member);
    expect(count).toBeLessThanOrEqual(1);
    const first = await status();
    // Without a draft nobody can tell whether that of the killed process still arrives.
    if (areFound && (count === 1 || !isLate)) expect(first).toBe(count === 1 ? 'drafted' : 'unknown');
    await pass();
    expect(await status()).toBe('drafted');
    expect((await system.drafts(member)).count).toBe(1);
    expect(await mail.history(member)).toMatchObject([{ status: 'ok' }]);
  }

  test(`is made once, at whichever step its process is killed (${RUNS} times)`, async () => {
    const killed = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...steps), fc.nat({ max: 40 }), async ([step, ...faults], laterMs) => {
        await killAfter(faults, laterMs);
        killed.set(step, (killed.get(step) ?? 0) + 1);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    const tally = Array.from(killed, ([step, times]) => `${times} ${step}`).join('; ');
    process.stderr.write(`Killed ${tally}.\n`);
  }, 1_200_000);
}
