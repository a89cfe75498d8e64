import type { RequestBatches } from '../batches/requests.ts';
import type { Connection } from '../connection.ts';
import type { BusRequestOptions } from './options.ts';
import { PendingRequest } from './pending-request.ts';
import type { RepeatBudget } from './repeat-budget.ts';
import type { BusReply } from './reply.ts';

/** How long a replica has to begin the answer to a read before others are asked, by default, in milliseconds. */
const ASK_AGAIN_MS = 1_500;

/** The most messages sent at once. */
const MAX_AT_ONCE = 3;

/**
 * A read that waits for its answer. It is sent again while no replica answers. A queue group picks a replica at random and may pick one that
 * hangs again, so the second round is two messages, the third and later ones three. Earlier messages stay open.
 */
export class PendingRead extends PendingRequest {
  readonly #budget: RepeatBudget;
  readonly #askAgainMs: number;
  #rounds = 0;

  constructor(
    connection: Connection,
    batches: RequestBatches,
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
    budget: RepeatBudget,
    askAgainMs = ASK_AGAIN_MS,
  ) {
    super(connection, batches, subject, body, options);
    this.#budget = budget;
    this.#askAgainMs = askAgainMs;
  }

  /** Sends it, or sends it again; while the connection is broken it waits for the next one. */
  override send(): Promise<BusReply> {
    const left = this.timeLeft;
    if (left < 1) this.fail('timeout');
    else if (this.connection.isClosed) this.fail('connection_lost');
    else if (!this.isOver) {
      this.wait(Math.min(left, this.#askAgainMs));
      if (this.connection.isConnected) this.#sendRound();
    }
    return this.answer;
  }

  protected override unanswered(): void {
    void this.send();
  }

  regained(): void {
    void this.send();
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
