import type { z } from 'zod';
import { serviceOf } from '../services/services.ts';
import type { Call, Declared } from './call.ts';

/** A call that an operator makes by a command. The options of the command are the fields of the input. */
export interface Command<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Call<Input, Output> {
  readonly audience: 'operator';
  /** Its words, such as `member add`. */
  readonly command: string;
  /** A sentence for the help. */
  readonly summary: string;
  /** The fields of each item that the table of a listing shows; by default all. */
  readonly columns?: readonly string[];
  /** Whether an input needs the field `secret`, which the command reads from standard input when no file is given. */
  readonly needsSecret?: (input: Readonly<Record<string, unknown>>) => boolean;
  /** How long the command waits for its answer, in milliseconds; by default ten seconds. */
  readonly timeoutMs?: number;
  /** Whether an answer reports a failure, with which the command exits with 1. */
  readonly isFailure?: (answer: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * Declares a command of operators; its options and help follow from the declaration. `calls/declared.ts` lists its file. Every
 * command is safe to repeat.
 */
export function defineCommand<Input extends z.ZodObject, Output extends z.ZodType>(
  command: Declared<Command<Input, Output>, 'idempotent'>,
): Command<Input, Output> {
  const { id } = command;
  const service = serviceOf(id);
  return { ...command, audience: 'operator', service, callers: ['admin'], idempotent: 'always', subject: id };
}
