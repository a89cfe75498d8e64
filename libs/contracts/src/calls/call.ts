import type { z } from 'zod';
import type { BusUser } from './bus-users.ts';
import type { ServiceName } from './services.ts';

/**
 * A request that one part of the platform makes of another over the bus, apart from operations: authority,
 * the management of grants, what operators do. Its subject is its name.
 */
export interface Call<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly subject: string;
  readonly service: ServiceName;
  /** The only ones who may publish to the subject. */
  readonly callers: readonly BusUser[];
  readonly effect: 'read' | 'write';
  readonly input: Input;
  readonly output: Output;
}

/** Declares a call; it becomes real by being listed in `calls/registry.ts`. */
export function defineCall<Input extends z.ZodObject, Output extends z.ZodType>(
  call: Call<Input, Output>,
): Call<Input, Output> {
  return call;
}
