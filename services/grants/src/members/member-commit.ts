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

/** The value of `commits`, in the pipeline of an update, with one more commit under the next number. */
export function oneMoreCommit(type: MemberCommit['type'], origin: Origin, connection_id?: Document | string) {
  const number = { $add: [{ $size: { $objectToArray: { $ifNull: ['$commits', {}] } } }, 1] };
  // An operator's name may begin with a dollar sign.
  const given = { $literal: { type, ...origin } };
  const commit = { $mergeObjects: [given, { at: '$$NOW', ...(connection_id && { connection_id }) }] };
  return { $mergeObjects: ['$commits', { $arrayToObject: [[{ k: { $toString: number }, v: commit }]] }] };
}
