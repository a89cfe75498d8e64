import { mayPublish } from '@action-platform/contracts/bus';
import { busUsers } from '@action-platform/contracts/services';
import type { Subscription } from '@nats-io/transport-node';
import type { Incoming } from '../wire/incoming.ts';
import { type ReplyTo, replyToOf } from '../wire/reply-to.ts';
import type { Connection } from './connection.ts';

/**
 * Subscribes to requests: for a queue group, or for this replica alone. Ignores a request whose reply subject is outside the inboxes of
 * the users who may send it. An answer there would use this user's permissions for the requester: to make an operator's
 * call, or to answer another user's request.
 */
export function listen(
  connection: Connection,
  subject: string,
  take: (message: Incoming, replyTo: ReplyTo) => void,
  queue?: string,
): Subscription {
  const requesters = busUsers.filter((user) => mayPublish(user, subject));
  const receive = (message: Incoming) => {
    const replyTo = replyToOf(requesters, message.reply);
    if (replyTo !== undefined) take(message, replyTo);
  };
  return connection.subscribe(subject, receive, queue);
}
