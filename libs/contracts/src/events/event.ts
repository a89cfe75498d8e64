import type { z } from 'zod';
import type { BusUser } from '../services.ts';

/** A message to every replica of its subscribers, without an answer. */
export interface Event<Body extends z.ZodObject = z.ZodObject> {
  /** `event.<name>` */
  readonly subject: `event.${string}`;
  /** The only users who may publish it. */
  readonly publishers: readonly BusUser[];
  /** The users whose replicas receive it. */
  readonly subscribers: readonly BusUser[];
  readonly body: Body;
}
