import type { RequestBatches } from '../batches/requests.ts';
import type { Connection } from '../connection.ts';
import type { Failure } from '../spans.ts';
import type { BusRequestOptions } from './options.ts';
import { PendingRequest } from './pending-request.ts';
import type { BusReply } from './reply.ts';
import type { RetryBudget } from './retry-budget.ts';

/** The delay before a read without an answer is also sent to other replicas (hedging), by default, in milliseconds. */
const HEDGE_AFTER_MS = 1_500;

/** The most messages sent at once. */
const MAX_AT_ONCE = 3;

/**
 * A read that waits for its answer. It is hedged: sent again while no replica answers, and the first answer wins. A queue group picks a
 * replica at random and may pick one that hangs again, so the second round is two messages, the third and later ones three.
 */
export class PendingRead extends PendingRequest {
  readonly #budget: RetryBudget;
  readonly #hedgeAfterMs: number;
  #rounds = 0;

  constructor(
    connection: Connection,
    batches: RequestBatches,
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
    budget: RetryBudget,
    hedgeAfterMs = HEDGE_AFTER_MS,
  ) {
    super(connection, batches, subject, body, options);
    this.#budget = budget;
    this.#hedgeAfterMs = hedgeAfterMs;
  }

  /** Sends it, or sends it again; while the connection is broken it waits a moment for the next one. */
  override send(): Promise<BusReply> {
    if (this.isOver) return this.answer;
    if (this.timeLeft < 1) this.fail('timeout');
    else if (this.connection.patienceMs < 1) this.fail('connection_lost');
    else {
      this.#wait();
      if (this.connection.isConnected) this.#sendRound();
    }
    return this.answer;
  }

  protected override unanswered(failure: Failure): void {
    // Another replica may hang; but a busy one answers later, and is not asked twice.
    const isQueued = failure === 'timeout' && this.#budget.isBusy && this.connection.isConnected;
    if (isQueued && this.timeLeft >= 1) this.#wait();
    else void this.send();
  }

  regained(): void {
    void this.send();
  }

  #wait(): void {
    this.wait(Math.min(this.timeLeft, this.#hedgeAfterMs, this.connection.patienceMs));
  }

  #sendRound(): void {
    this.#rounds++;
    for (let i = Math.min(this.#rounds, MAX_AT_ONCE); i > 0 && !this.isOver; i--) {
      if (this.#rounds === 1) this.#budget.earn();
      else if (!this.#budget.spend()) break;
      this.sendMessage();
    }
  }
}
