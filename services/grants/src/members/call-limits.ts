import type { Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { Batcher, upsertAgain, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { StoredCallCount } from './stored-call-count.ts';
import type { Membership } from './stored-member.ts';

/** How many calls are counted at once. */
const COUNTED_AT_ONCE = 1_000;

/** A call of a Workspace that has a limit. */
interface LimitedCall {
  readonly workspaceId: string;
  readonly most: number;
}

/** The place in the present second of the next call of a batch, and how long the second still is. */
interface Place {
  next: number;
  readonly limitedForMs: number;
}

/**
 * The limits of Workspaces, which calls find in the membership that they read anyway; a call of a Workspace without one does nothing more.
 * All replicas count the calls of a second in one document, a batch of calls at a time.
 */
export class CallLimits {
  readonly #counts: Collection<StoredCallCount>;
  readonly #counting: Batcher<LimitedCall, undefined>;

  constructor(counts: Collection<StoredCallCount>) {
    this.#counts = counts;
    const limits = { maxItems: COUNTED_AT_ONCE, effect: 'read' } as const;
    this.#counting = new Batcher<LimitedCall, undefined>(
      'grants.call_counts',
      limits,
      async (calls, timed) => {
        const sizes = new Map<string, number>();
        for (const { workspaceId } of calls) sizes.set(workspaceId, (sizes.get(workspaceId) ?? 0) + 1);
        const counted = await Promise.all(
          sizes.entries().map(async ([id, size]) => {
            const { calls: after, left_ms } = await this.#count(id, size, timed);
            return [id, { next: after - size, limitedForMs: Math.max(1, left_ms) }] satisfies [string, Place];
          }),
        );
        const places = new Map<string, Place>(counted);
        return calls.map(({ workspaceId, most }) => {
          const place = places.get(workspaceId)!;
          return place.next++ < most ? { value: undefined } : { error: limited(most, place.limitedForMs) };
        });
      },
    );
  }

  /**
   * Admits a call of a Member.
   *
   * @param may whether it may be made while the Workspace is suspended, and whether another request counts it.
   * @throws ActionError `workspace_suspended`; `action_platform_unavailable` beyond the limit of the second.
   */
  async admit(
    { _id, workspace_limit }: Membership,
    may: { readonly whileSuspended?: boolean | undefined; readonly isUncounted?: boolean | undefined },
    timed: Timed,
  ): Promise<void> {
    if (workspace_limit === undefined) return;
    const { suspended, calls_per_second: most } = workspace_limit;
    if (suspended && !may.whileSuspended) throw new ActionError('workspace_suspended');
    if (most === undefined || may.isUncounted) return;
    await this.#counting.submit({ workspaceId: _id.workspace_id, most }, timed);
  }

  /** Counts calls; returns those of this second, with them. Losing the count with a primary costs a second's limit, so no majority is awaited. */
  async #count(_id: string, size: number, timed: Timed): Promise<StoredCallCount> {
    const second = { $dateTrunc: { date: '$$NOW', unit: 'second' } };
    const isPresent = { $eq: ['$second', second] };
    const counted = {
      second,
      calls: { $add: [{ $cond: [isPresent, '$calls', 0] }, size] },
      left_ms: { $subtract: [1_000, { $mod: [{ $toLong: '$$NOW' }, 1_000] }] },
    };
    const options = {
      upsert: true,
      returnDocument: 'after',
      writeConcern: { w: 1 },
      ...within(timed),
    } as const;
    const found = await upsertAgain(() =>
      this.#counts.findOneAndUpdate({ _id }, [{ $set: counted }], options),
    );
    return found!;
  }
}

function limited(most: number, limitedForMs: number): ActionError {
  const message = `The Workspace has reached its ${most} calls a second; nothing was done.`;
  return new ActionError('action_platform_unavailable', { message, limitedForMs });
}
