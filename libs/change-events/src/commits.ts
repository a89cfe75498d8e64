import type { ChangeEventType } from '@action-platform/contracts/change-events';
import type { StoredDocuments } from '@action-platform/mongo';
import type { Document } from 'mongodb';
import { type Followed, follow, type StoredChange } from './followed.ts';

/** How many commits a document keeps: the tail of changes needs the last one, a catch-up those since the oplog's beginning. */
const KEPT_COMMITS = 20;

/**
 * The value of `commits`, in the pipeline of an update, with one more commit under the next number; the oldest ones leave.
 *
 * @param commit its fields as they are.
 * @param derived fields that the pipeline evaluates.
 */
export function oneMoreCommit(commit: object, derived: Document = {}): Document {
  const former = { $objectToArray: { $ifNull: ['$commits', {}] } };
  const last = { $ifNull: [{ $max: { $map: { input: former, in: { $toInt: '$$this.k' } } } }, 0] };
  // An operator's name may begin with a dollar sign.
  const value = { $mergeObjects: [{ $literal: commit }, { at: '$$NOW', ...derived }] };
  const added = { k: { $toString: { $add: [last, 1] } }, v: value };
  return { $arrayToObject: { $concatArrays: [lastOf(former, KEPT_COMMITS - 1), [added]] } };
}

/**
 * The part of an update that adds a commit to a document as it was read, which numbers its changes itself. An update of single fields tells
 * the tail which commit is new.
 */
export function numberedCommit(number: number, commit: object) {
  return {
    $set: { [`commits.${number}`]: commit },
    $unset: { [`commits.${number - KEPT_COMMITS}`]: '' as const },
  };
}

/** The last items of an array, in the pipeline of an update. */
export function lastOf(array: Document, count: number): Document {
  return { $slice: [array, -count] };
}

/** A document with its last changes, by their number. */
interface Committed {
  readonly commits?: Readonly<Record<string, { readonly at: Date }>>;
}

/**
 * A collection whose documents have the field `commits`, each of which is a change.
 *
 * @param fields the others that `changeOf` reads, besides `_id`.
 * @param changeOf what a commit says, apart from its number and its time.
 */
export function followCommits<Stored extends Committed, Type extends ChangeEventType>(
  documents: StoredDocuments<Stored>,
  fields: readonly (keyof Stored & string)[],
  changeOf: (
    stored: Stored,
    commit: NonNullable<Stored['commits']>[string],
  ) => Pick<StoredChange<Type>, 'workspaceId' | 'type' | 'subject' | 'data'>,
): Followed<Stored, Type> {
  return follow(documents, {
    fields: [...fields, 'commits'],
    updates: true,
    changesOf: (stored) =>
      Object.entries(stored.commits ?? {}).map(([number, commit]) => ({
        ...changeOf(stored, commit as NonNullable<Stored['commits']>[string]),
        distinct: number,
        time: commit.at,
        field: `commits.${number}`,
      })),
  });
}
