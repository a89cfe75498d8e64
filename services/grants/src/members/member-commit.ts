import type { Origin } from '@action-platform/contracts';
import type { Document } from 'mongodb';

/** A change of a membership or of its apps, with where it came from. */
export interface MemberCommit extends Origin {
  readonly type:
    | 'member.added'
    | 'member.role_changed'
    | 'member.removed'
    | 'app.connected'
    | 'app.disconnected';
  readonly at: Date;
  /** The connection that began or ended, of an app's. */
  readonly connection_id?: string;
}

/** How many commits a membership keeps: the tail of changes needs the last one, a catch-up those since the oplog's beginning. */
const KEPT_COMMITS = 20;

/** The value of `commits`, in the pipeline of an update, with one more commit under the next number; the oldest ones leave. */
export function oneMoreCommit(type: MemberCommit['type'], origin: Origin, connection_id?: Document | string) {
  const former = { $objectToArray: { $ifNull: ['$commits', {}] } };
  const last = { $ifNull: [{ $max: { $map: { input: former, in: { $toInt: '$$this.k' } } } }, 0] };
  // An operator's name may begin with a dollar sign.
  const given = { $literal: { type, ...origin } };
  const commit = { $mergeObjects: [given, { at: '$$NOW', ...(connection_id && { connection_id }) }] };
  const added = { k: { $toString: { $add: [last, 1] } }, v: commit };
  return { $arrayToObject: { $concatArrays: [lastOf(former, KEPT_COMMITS - 1), [added]] } };
}

/** The last items of an array, in the pipeline of an update. */
export function lastOf(array: Document, count: number): Document {
  return { $slice: [array, -count] };
}
