import { oneMoreCommit as addedCommit } from '@action-platform/change-events';
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

/** The value of `commits`, in the pipeline of an update, with one more commit. */
export function oneMoreCommit(type: MemberCommit['type'], origin: Origin, connection_id?: Document | string) {
  return addedCommit({ type, ...origin }, connection_id === undefined ? {} : { connection_id });
}
