import type { z } from 'zod';
import type { Effect } from '../errors/groups.ts';
import type { Idempotency } from '../operations/operation.ts';
import type { BusUser, ServiceName } from '../services.ts';

/** The command of an operator that makes a call: `member add`. Its options are the fields of the call's input. */
export interface Command {
  readonly name: string;
  /** A sentence for the help. */
  readonly summary: string;
  /** The fields of each item that the table of a listing shows; by default all. */
  readonly columns?: readonly string[];
  /** Whether an input needs the field `secret`, which the command reads from standard input when no file is given. */
  readonly needsSecret?: (input: Readonly<Record<string, unknown>>) => boolean;
  /** Whether an answer reports a failure, with which the command exits with 1. */
  readonly isFailure?: (answer: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * A request between processes over the bus that is not an operation: authorization, the management of grants, the
 * commands of operators.
 *
 * Both sides tolerate unknown fields in inputs, answers and headers, so that two versions can run side by side. Only the
 * input of a client is strict.
 */
export interface Call<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly subject: string;
  readonly service: ServiceName;
  /** The bus users that may publish to the subject. */
  readonly callers: readonly BusUser[];
  /** A failed `read` changed nothing, and the caller may send it to another replica. */
  readonly effect: Effect;
  readonly idempotent: Idempotency;
  readonly input: Input;
  readonly output: Output;
  /** Set when the input is the body of a signed-in Member's request: its errors refer to these routes. */
  readonly isMemberRoute?: true;
  /** The command of an operator, if the call has one. */
  readonly command?: Command;
  /** The ids for the audit log that a call named or made; without a result when it was refused. */
  targets?(input: z.output<Input>, result?: z.output<Output>): readonly unknown[];
}

type Declared<Input extends z.ZodObject, Output extends z.ZodType> = Omit<
  Call<Input, Output>,
  'subject' | 'command'
> & { readonly name: string };

/** Declares a call between processes; `calls/registry.ts` lists it. */
export function defineCall<Input extends z.ZodObject, Output extends z.ZodType>({
  name,
  ...call
}: Declared<Input, Output>): Call<Input, Output> {
  return { ...call, subject: `${call.service}.${name}` };
}

/**
 * Declares a command of operators; its options and help follow from the declaration. `calls/admin/` exports it. Every
 * command is safe to repeat.
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
