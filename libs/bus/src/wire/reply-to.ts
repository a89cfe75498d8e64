import { inboxPrefix } from '@action-platform/contracts/bus';
import { type BusUser, busUsers } from '@action-platform/contracts/services';

declare const checked: unique symbol;
declare const claimed: unique symbol;

/** A reply subject in the inbox of a connection. Only the functions of this file make a `ReplyTo`, each after its check. */
export type ReplyTo = string & { readonly [checked]: true };

/** The reply subject that the sender of a message names. `ClaimedReply` is no string, so that nothing publishes there before a check. */
export interface ClaimedReply {
  readonly [claimed]: true;
}

type Unchecked = ClaimedReply | string | undefined;

/** The beginning of all reply subjects of a bus user. */
const prefixes = new Map<BusUser, string>(busUsers.map((user) => [user, `${inboxPrefix(user)}.`]));

/**
 * The rest: the connection, the receiver, and a number. No connection makes another form, which could be so long that the NATS
 * server breaks the connection of its publisher.
 */
const BELOW_USER = /^[0-9A-Za-z]{1,32}\.[0-9A-Za-z]{1,32}(\.\d{1,16})?$/;
const BELOW_CONNECTION = /^[0-9A-Za-z]{1,32}(\.\d{1,16})?$/;

/** A subject, if it is in an inbox of one of these users. */
export function replyToOf(users: readonly BusUser[], subject: Unchecked): ReplyTo | undefined {
  for (const user of users) {
    const replyTo = replyToBelow(prefixes.get(user)!, BELOW_USER, subject);
    if (replyTo !== undefined) return replyTo;
  }
  return undefined;
}

/** A subject, if it is in the same inbox as another reply subject: that of one connection of one user. */
export function replyToBeside(other: ReplyTo, subject: Unchecked): ReplyTo | undefined {
  const [user, connection] = other.split('.', 2);
  return replyToBelow(`${user}.${connection}.`, BELOW_CONNECTION, subject);
}

/** A reply subject of this process's connection. @param prefix the beginning of all of them */
export function ownReplyTo(prefix: string, position: number): ReplyTo {
  return `${prefix}${position.toString(36)}` as ReplyTo;
}

/** One of the further subjects at which the receiver of a reply subject takes messages. */
export function numbered(replyTo: ReplyTo, number: number): ReplyTo {
  return `${replyTo}.${number}` as ReplyTo;
}

/** The id of the connection in whose inbox a reply subject is. */
export function connectionOf(replyTo: string): string {
  return replyTo.split('.', 2)[1]!;
}

function replyToBelow(prefix: string, rest: RegExp, subject: Unchecked): ReplyTo | undefined {
  const isBelow =
    typeof subject === 'string' && subject.startsWith(prefix) && rest.test(subject.slice(prefix.length));
  return isBelow ? (subject as ReplyTo) : undefined;
}
