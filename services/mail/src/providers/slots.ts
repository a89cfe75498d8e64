import { setTimeout as delay } from 'node:timers/promises';
import { MailUnavailable } from './provider.ts';

/** When to try again after a wait for a slot, in seconds. */
const BUSY_SECONDS = 1;

/** The time of an attempt. */
export interface AttemptTime {
  /** When the attempt ends, in milliseconds of `performance.now()`. */
  readonly endsAt: number;
  /** Aborts at `endsAt`. */
  readonly signal: AbortSignal;
}

/** The time until then. */
export function attemptTime(endsAt: number): AttemptTime {
  return { endsAt, signal: AbortSignal.timeout(remainingMs(endsAt)) };
}

/** Gives few attempts a slot at once for an account, in the order of their arrival. */
export class Slots {
  readonly #running = new Map<string, { count: number; readonly waiting: Set<() => void> }>();

  /**
   * Runs an attempt when it gets a slot.
   *
   * @param atOnce how many may run at once.
   * @throws MailUnavailable when it gets none within a random share of its time, at least half; nothing was done then.
   */
  async take<Result>(
    accountId: string,
    atOnce: number,
    { endsAt }: AttemptTime,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    await this.#enter(accountId, atOnce, endsAt);
    try {
      return await attempt();
    } finally {
      this.#leave(accountId);
    }
  }

  async #enter(accountId: string, atOnce: number, endsAt: number): Promise<void> {
    const account = this.#running.get(accountId) ?? { count: 0, waiting: new Set() };
    this.#running.set(accountId, account);
    if (account.count < atOnce) {
      account.count++;
      return;
    }
    const slot = Promise.withResolvers<void>();
    account.waiting.add(slot.resolve);
    // Callers of a mailbox that hangs would otherwise all end, and call again, in the same moment.
    const mostMs = remainingMs(endsAt) * (1 + Math.random()) * 0.5;
    const timer = setTimeout(() => {
      // The waiter may have got a slot in the same moment.
      if (account.waiting.delete(slot.resolve)) slot.reject(new MailUnavailable(BUSY_SECONDS));
    }, mostMs);
    await slot.promise.finally(() => clearTimeout(timer));
  }

  /** Passes the slot on to the attempt that has waited longest. */
  #leave(accountId: string): void {
    const account = this.#running.get(accountId)!;
    const [next] = account.waiting;
    if (next !== undefined) {
      account.waiting.delete(next);
      next();
    } else if (--account.count === 0) this.#running.delete(accountId);
  }
}

/**
 * Repeats a call of a provider that its mail system refused for want of capacity, as long as the pause that it asks for ends in time.
 *
 * @throws MailUnavailable when that would end too late.
 */
export async function whenAvailable<Result>(
  call: () => Promise<Result>,
  { endsAt }: AttemptTime,
): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof MailUnavailable)) throw error;
      const pauseMs = error.retryAfterSeconds * 1000;
      if (performance.now() + pauseMs >= endsAt) throw error;
      await delay(pauseMs);
    }
  }
}

function remainingMs(endsAt: number): number {
  return Math.max(0, Math.ceil(endsAt - performance.now()));
}
