import type { MatchKeysAndValues, UpdateFilter } from 'mongodb';
import type { Member, MembershipChange } from './member.ts';

/**
 * The update that changes a membership and with it begins a new authority epoch, so that every grant made
 * in an earlier one has stopped. One document, one update: it happens as a whole or not at all.
 */
export function newEpoch(change: MembershipChange, set: MatchKeysAndValues<Member>): UpdateFilter<Member> {
  return { $set: set, $inc: { epoch: 1 }, $push: { changes: change } };
}
