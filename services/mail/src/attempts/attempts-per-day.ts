import type { Timed } from '@action-platform/contracts/calls';
import type { CountedLimit } from '@action-platform/contracts/limits';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { StoredAttempt } from './stored-attempt.ts';

const DAY_MS = 86_400_000;

/** The kinds that are counted apart, so that a job which is refused repeatedly stops no other e-mail. */
const counted = {
  submissions: ['unknown', 'drafted', 'failed'],
  denials: ['denied'],
} as const satisfies Record<string, readonly StoredAttempt['outcome'][]>;

/** The share of the room that a replica fills before it counts again, so that most calls need no count. */
const UNCOUNTED_SHARE = 1 / 16;
/** The longest time between counts, in milliseconds: other replicas fill the room too. */
const UNCOUNTED_FOR_MS = 10_000;
/** The most Workspaces whose count is remembered; beyond it all are counted again. */
const REMEMBERED = 10_000;

/**
 * The limit of attempts of a kind that a Workspace may log within 24 hours. Attempts in progress at the same time may exceed
 * it, and so may those that replicas do not count: at most a sixteenth of the limit each.
 */
export class AttemptsPerDay {
  readonly #attempts: Collection<StoredAttempt>;
  readonly #max: CountedLimit;
  readonly #uncounted = new Map<string, { left: number; readonly until: number }>();

  constructor(attempts: Collection<StoredAttempt>, max: CountedLimit) {
    this.#attempts = attempts;
    this.#max = max;
  }

  /** Whether a Workspace may log one more of a kind now. */
  async hasRoom(workspaceId: string, kind: keyof typeof counted, timed: Timed): Promise<boolean> {
    const key = `${kind} ${workspaceId}`;
    const uncounted = this.#uncounted.get(key);
    if (uncounted !== undefined && uncounted.left > 0 && performance.now() < uncounted.until) {
      uncounted.left--;
      return true;
    }
    const room = this.#max - (await this.#count(workspaceId, kind, timed));
    if (this.#uncounted.size >= REMEMBERED) this.#uncounted.clear();
    const left = Math.floor(room * UNCOUNTED_SHARE);
    this.#uncounted.set(key, { left, until: performance.now() + UNCOUNTED_FOR_MS });
    return room > 0;
  }

  async #count(workspace_id: string, kind: keyof typeof counted, timed: Timed): Promise<number> {
    const logged_at = { $gt: new Date(Date.now() - DAY_MS) };
    const query = { workspace_id, outcome: { $in: counted[kind] }, logged_at };
    return await this.#attempts.countDocuments(query, { limit: this.#max, ...within(timed) });
  }
}
