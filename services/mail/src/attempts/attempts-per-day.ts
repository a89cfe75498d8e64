import type { Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { StoredAttempt } from './stored-attempt.ts';

const DAY_MS = 86_400_000;

/** What is counted apart from each other: a job that is refused again and again stops nobody else's e-mail. */
const counted = {
  submissions: ['unknown', 'drafted', 'failed'],
  denials: ['denied'],
} as const satisfies Record<string, readonly StoredAttempt['outcome'][]>;

/** The part of the room that was found which this replica fills without counting again, so that most calls count nothing. */
const UNCOUNTED_PART = 1 / 16;
/** How long it does so, in milliseconds: other replicas fill the room too. */
const UNCOUNTED_FOR_MS = 10_000;
/** For how many Workspaces that is remembered; beyond it all count anew. */
const REMEMBERED = 10_000;

/**
 * How many attempts of a kind a Workspace may log within 24 hours. A limit may be exceeded by as many as are under way at
 * once, and by what replicas fill uncounted: at most a sixteenth each.
 */
export class AttemptsPerDay {
  readonly #attempts: Collection<StoredAttempt>;
  readonly #max: number;
  readonly #uncounted = new Map<string, { left: number; readonly until: number }>();

  constructor(attempts: Collection<StoredAttempt>, max: number) {
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
    const left = Math.floor(room * UNCOUNTED_PART);
    this.#uncounted.set(key, { left, until: performance.now() + UNCOUNTED_FOR_MS });
    return room > 0;
  }

  async #count(workspace_id: string, kind: keyof typeof counted, timed: Timed): Promise<number> {
    const logged_at = { $gt: new Date(Date.now() - DAY_MS) };
    const query = { workspace_id, outcome: { $in: counted[kind] }, logged_at };
    return await this.#attempts.countDocuments(query, { limit: this.#max, ...within(timed) });
  }
}
