import type { Event } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import type { Inbox } from './inbox.ts';
import { parsed } from './parsed.ts';

/** Tells an event to every replica of those who hear it; while the connection is broken it is told to nobody. */
export function tellEvent<Body extends z.ZodObject>(
  nc: NatsConnection,
  inbox: Inbox,
  { subject }: Event<Body>,
  body: z.input<Body>,
): void {
  if (inbox.connected) nc.publish(subject, JSON.stringify(body));
}

/** Hears an event, also what this connection tells; a message that is not what the event declares is left alone. */
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
