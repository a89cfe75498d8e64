import { follow, madeBy } from '@action-platform/change-events';
import type { Origin } from '@action-platform/contracts/calls';
import { ExactJson } from '@action-platform/json';
import { byMember, byWorkspace, type StoredDocuments, type StoredLease } from '@action-platform/mongo';
import type { FinalOutcome, UndeclaredRefusal } from '../endpoint/outcome.ts';

/** A write with its idempotency key: open until its endpoint has answered with an outcome. */
export interface StoredExecution {
  /** `cex_…`: see `executionId`. The endpoint gets it as the `Idempotency-Key`. */
  readonly _id: string;
  readonly workspace_id: string;
  /** The Member on whose behalf the execution runs. */
  readonly user_id: string;
  /** `custom.…` */
  readonly operation_id: string;
  /** `cop_…` */
  readonly definition_id: string;
  /** SHA-256 of the input, which tells a repetition from another use of the key. */
  readonly fingerprint: string;
  readonly created_at: Date;
  /** When the database deletes it (TTL index). */
  readonly expires_at: Date;
  /** The attempt that alone may send a request. */
  readonly lease?: StoredLease;
  /** Open without it. The version before recorded undeclared refusals too. */
  readonly outcome?: FinalOutcome | UndeclaredRefusal;
  /** When the outcome was recorded, and by which call. */
  readonly settled?: { readonly [Is in FinalOutcome['is']]?: Origin & { readonly at: Date } };
}

/** The executions, with the indexes that count and export them by time, erase those of a Member, and delete old ones. */
export const storedExecutions: StoredDocuments<StoredExecution> = {
  collection: 'executions',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'workspace_by_time', key: { workspace_id: 1, created_at: 1, _id: 1 } },
    { name: 'member', key: { workspace_id: 1, user_id: 1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
  ofMember: byMember,
  exported: {
    type: 'custom_operation_execution',
    order: { created_at: 1, _id: 1 },
    data: ({ _id, operation_id, user_id, created_at, outcome }) => ({
      ...{ id: _id, operation_id, user_id, created_at },
      ...(outcome?.is === 'done' && { result: new ExactJson(outcome.result) }),
      ...(outcome?.is === 'refused' && { code: outcome.declared?.code ?? 'custom_operation_refused' }),
    }),
  },
};

/** The changes of executions: that an endpoint did what it was asked. */
export const executionChanges = follow(storedExecutions, {
  fields: ['workspace_id', 'user_id', 'operation_id', 'definition_id', 'settled'],
  updates: true,
  changesOf: ({ _id, workspace_id: workspaceId, user_id, operation_id, definition_id, settled }) => {
    if (settled?.done === undefined) return [];
    const { at: time, ...origin } = settled.done;
    const data = { execution_id: _id, operation_id, definition_id, user_id, ...madeBy(origin) };
    const of = { workspaceId, subject: _id, time, data, field: 'settled.done' };
    return [{ ...of, type: 'custom_operation.executed' }] as const;
  },
});
