import type { Event } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import type { Inbox } from './inbox.ts';
import { parsed } from './parsed.ts';

/** Publishes an event to every replica of its subscribers; does nothing while the connection is broken. */
export function tellEvent<Body extends z.ZodObject>(
  nc: NatsConnection,
  inbox: Inbox,
  { subject }: Event<Body>,
  body: z.input<Body>,
): void {
  if (inbox.connected) nc.publish(subject, JSON.stringify(body));
}

/** Subscribes to an event, this connection's own included; ignores messages that do not match its declaration. */
export function hearEvent<Body extends z.ZodObject>(
  nc: NatsConnection,
  { subject, body }: Event<Body>,
  heard: (body: z.output<Body>) => void,
): void {
  nc.subscribe(subject, {
    callback: (error, { data }) => {
      const told = error === null ? body.safeParse(parsed(data)).data : undefined;
      if (told !== undefined) heard(told);
    },
  });
}
