import type { z } from 'zod';
import type { Effect } from '../errors/groups.ts';
import type { Idempotency } from '../operations/operation.ts';
import type { BusUser, ServiceName } from '../services.ts';

/** What an operator types to make a call: `member add`. Its options are the fields of the call's input. */
export interface Command {
  readonly name: string;
  /** What it does, in a sentence, for the help. */
  readonly summary: string;
  /** The fields of each item that a table of its listing shows; all of them when left out. */
  readonly columns?: readonly string[];
}

/**
 * A request that one part of the platform makes of another over the bus, apart from operations: authority, the
 * management of grants, what operators do.
 *
 * Both sides tolerate fields they do not know, in inputs, answers and headers, so that two versions can run beside each
 * other. Only an input that a client of the gateway wrote is strict.
 */
export interface Call<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly subject: string;
  readonly service: ServiceName;
  /** The only ones who may publish to the subject. */
  readonly callers: readonly BusUser[];
  /** A `read` that fails has done nothing, and another replica may be asked. */
  readonly effect: Effect;
  readonly idempotent: Idempotency;
  readonly input: Input;
  readonly output: Output;
  /** Set when it is made for a signed-in Member with the client's own body: what it refuses speaks of the grant routes. */
  readonly isGrantRoute?: true;
  /** Set when it is what an operator does. */
  readonly command?: Command;
}

type Declared<Input extends z.ZodObject, Output extends z.ZodType> = Omit<
  Call<Input, Output>,
  'subject' | 'command'
> & { readonly name: string };

/** Declares a call between parts of the platform; it becomes real by being listed in `calls/registry.ts`. */
export function defineCall<Input extends z.ZodObject, Output extends z.ZodType>({
  name,
  ...call
}: Declared<Input, Output>): Call<Input, Output> {
  return { ...call, subject: `${call.service}.${name}` };
}

/**
 * Declares what an operator does; its command, options and help follow from it. It becomes real by being exported from
 * `calls/admin/`. Every one of them is safe to repeat.
 */
export function defineCommand<Input extends z.ZodObject, Output extends z.ZodType>({
  name,
  ...call
}: Omit<Declared<Input, Output>, 'callers' | 'idempotent'> & { readonly command: Command }): Call<
  Input,
  Output
> {
  return { ...call, callers: ['admin'], idempotent: 'always', subject: `admin.${call.service}.${name}` };
}
