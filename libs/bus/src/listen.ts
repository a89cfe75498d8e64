import { busUsers, mayPublish } from '@action-platform/contracts';
import type { Subscription } from '@nats-io/transport-node';
import { type Connection, isInInboxOf } from './connection.ts';
import { type Incoming, incoming } from './incoming.ts';

/**
 * Subscribes to requests: for a queue group, or for this replica alone. Ignores a request whose reply subject is outside the inboxes of
 * the users who may send it. An answer there would use this user's permissions for the requester: to make an operator's
 * call, or to answer another user's request.
 */
export function listen(
  connection: Connection,
  subject: string,
  take: (message: Incoming) => void,
  queue?: string,
): Subscription {
  const requesters = busUsers.filter((user) => mayPublish(user, subject));
  return connection.subscribe(subject, {
    ...(queue !== undefined && { queue }),
    callback: (error, message) => {
      const isTheirs = requesters.some((user) => isInInboxOf(user, message.reply));
      if (error === null && isTheirs) take(incoming(message));
    },
  });
}
