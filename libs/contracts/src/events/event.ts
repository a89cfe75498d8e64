import type { z } from 'zod';
import type { BusUser } from '../services.ts';

/** Something that one part of the platform tells every replica of others over the bus, without an answer. */
export interface Event<Body extends z.ZodObject = z.ZodObject> {
  /** `event.<name>` */
  readonly subject: `event.${string}`;
  /** The only ones who may tell it. */
  readonly publishers: readonly BusUser[];
  /** Who is told: every replica of each of them. */
  readonly subscribers: readonly BusUser[];
  readonly body: Body;
}
