import type { z } from 'zod';
import type { BusUser } from '../../services/services.ts';

/** A message to every replica of its subscribers, without an answer. */
export interface Event<Body extends z.ZodObject = z.ZodObject> {
  /** `event.<name>` */
  readonly subject: `event.${string}`;
  readonly publishers: readonly BusUser[];
  readonly subscribers: readonly BusUser[];
  readonly body: Body;
}
