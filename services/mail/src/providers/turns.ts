import { setTimeout as delay } from 'node:timers/promises';
import { MailUnavailable } from './provider.ts';

/** The calls at once for an account: Microsoft Graph's own bound for a mailbox, and few enough connections for any IMAP server. */
const CALLS_AT_ONCE = 4;
/** When to try again after a wait for a turn, in seconds. */
const BUSY_SECONDS = 1;

/** The time of an attempt. */
export interface AttemptTime {
  /** When it ends, in milliseconds of `performance.now()`. */
  readonly endsAt: number;
  /** Aborts then. */
  readonly signal: AbortSignal;
}

/** The time until then. */
export function attemptTime(endsAt: number): AttemptTime {
  const remainingMs = Math.max(0, Math.ceil(endsAt - performance.now()));
  return { endsAt, signal: AbortSignal.timeout(remainingMs) };
}

/**
 * Lets at most four calls run at once for an account, in the order of their arrival, and repeats a call that its mail system
 * refused for want of capacity.
 */
export class ProviderTurns {
  readonly #running = new Map<string, { count: number; readonly waiting: Set<() => void> }>();

  /**
   * Makes a call of a provider when it is its turn.
   *
   * @throws MailUnavailable when its time ends before its turn, or before the mail system has capacity; nothing was done then.
   */
  async take<Result>(accountId: string, time: AttemptTime, call: () => Promise<Result>): Promise<Result> {
    await this.#enter(accountId, time.signal);
    try {
      return await whenAvailable(call, time);
    } finally {
      this.#leave(accountId);
    }
  }

  async #enter(accountId: string, signal: AbortSignal): Promise<void> {
    const account = this.#running.get(accountId) ?? { count: 0, waiting: new Set() };
    this.#running.set(accountId, account);
    if (account.count < CALLS_AT_ONCE) {
      account.count++;
      return;
    }
    const turn = Promise.withResolvers<void>();
    account.waiting.add(turn.resolve);
    const giveUp = () => {
      // Its turn may have come in the same moment.
      if (account.waiting.delete(turn.resolve)) turn.reject(new MailUnavailable(BUSY_SECONDS));
    };
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    await turn.promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  /** Passes the place on to the call that has waited longest. */
  #leave(accountId: string): void {
    const account = this.#running.get(accountId)!;
    const [next] = account.waiting;
    if (next !== undefined) {
      account.waiting.delete(next);
      next();
    } else if (--account.count === 0) this.#running.delete(accountId);
  }
}

/** Repeats a call until the mail system has capacity, as long as the pause that it asks for ends in time. */
async function whenAvailable<Result>(call: () => Promise<Result>, { endsAt }: AttemptTime): Promise<Result> {
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
