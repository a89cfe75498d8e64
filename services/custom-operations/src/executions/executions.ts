import { inBackground, type Origin, type Timed } from '@action-platform/contracts/calls';
import { limitReached } from '@action-platform/contracts/errors';
import { isDuplicateKey, Lease, type LeaseOptions, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { FinalOutcome } from '../endpoint/outcome.ts';
import type { NewKeys } from './new-keys.ts';
import type { StoredExecution } from './stored-execution.ts';

/** How long a recorded outcome is replayed, in milliseconds: 7 days. */
export const KEPT_MS = 7 * 86_400_000;

/** An execution that may be opened. */
export type NewExecution = Omit<
  StoredExecution,
  'created_at' | 'expires_at' | 'lease' | 'outcome' | 'settled'
>;

/** The executions of all keys. */
export class Executions {
  readonly #executions: Collection<StoredExecution>;
  readonly #newKeys: NewKeys;

  constructor(executions: Collection<StoredExecution>, newKeys: NewKeys) {
    this.#executions = executions;
    this.#newKeys = newKeys;
  }

  /** The execution of a key; null for an unused key. */
  async find({ _id, workspace_id }: Pick<NewExecution, '_id' | 'workspace_id'>, timed: Timed) {
    return await this.#executions.findOne({ _id, workspace_id }, within(timed));
  }

  /**
   * Opens the execution of an unused key, or returns the one that another call has opened since.
   *
   * @throws ActionError `invalid_request` when the Workspace has used the most new keys of a day.
   */
  async open(opened: NewExecution, timed: Timed): Promise<StoredExecution> {
    const { workspace_id } = opened;
    const quarter = await this.#newKeys.take(workspace_id, timed);
    if (quarter === undefined) {
      const first = await this.find(opened, timed);
      if (first !== null) return first;
      const has = `The Workspace has called custom operations with ${this.#newKeys.max} new keys within 24 hours`;
      throw limitReached(has, 'Repeat the call later.');
    }
    const now = Date.now();
    const execution = { ...opened, created_at: new Date(now), expires_at: new Date(now + KEPT_MS) };
    try {
      await this.#executions.insertOne(execution, within(timed));
      return execution;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await this.#newKeys.giveBack(workspace_id, quarter, timed);
      const first = await this.find(opened, timed);
      // The database may have deleted the first one since.
      if (first === null) throw error;
      return first;
    }
  }

  /** The right to send the request of an open execution. */
  leaseOn(
    { _id, workspace_id }: StoredExecution,
    attempt: Omit<LeaseOptions<StoredExecution>, 'filter'>,
  ): Lease<StoredExecution> {
    const filter = { _id, workspace_id, outcome: { $exists: false } };
    return new Lease(this.#executions, { filter, ...attempt });
  }

  /**
   * Records the outcome of an execution and ends its lease; false when another attempt has the lease since. `settle` does not end with the
   * deadline of the caller.
   */
  async settle(
    { _id, workspace_id }: StoredExecution,
    owner: string,
    outcome: FinalOutcome,
    origin: Origin,
  ): Promise<boolean> {
    const at = new Date();
    const { matchedCount } = await this.#executions.updateOne(
      { _id, workspace_id, outcome: { $exists: false }, 'lease.owner': owner },
      {
        $set: {
          outcome,
          [`settled.${outcome.is}`]: { ...origin, at },
          expires_at: new Date(at.getTime() + KEPT_MS),
        },
        $unset: { lease: '' },
      },
      within(inBackground),
    );
    return matchedCount === 1;
  }
}
