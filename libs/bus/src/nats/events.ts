import type { Event } from '@action-platform/contracts/bus';
import type { z } from 'zod';
import { isFromJetStream } from '../wire/incoming.ts';
import { parsed } from '../wire/parsed.ts';
import type { Connection } from './connection.ts';

/** Publishes an event to every replica of its subscribers; does nothing while the connection is broken. */
export function publishEvent<Body extends z.ZodObject>(
  connection: Connection,
  { subject }: Event<Body>,
  body: z.input<Body>,
): void {
  connection.publish(subject, JSON.stringify(body));
}

/** Subscribes to an event, this connection's own included; ignores messages that do not match its declaration. */
export function subscribeToEvent<Body extends z.ZodObject>(
  connection: Connection,
  { subject, body }: Event<Body>,
  take: (body: z.output<Body>) => void,
): void {
  connection.subscribe(subject, (message) => {
    if (isFromJetStream(message)) return;
    const event = body.safeParse(parsed(message.data)).data;
    if (event !== undefined) take(event);
  });
}
