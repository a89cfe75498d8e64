import type { Command as DeclaredCommand } from '@action-platform/contracts/calls';
import type { z } from 'zod';
import type { Platform } from './platform.ts';

/** A command of an operator. Its name, options and help follow from this. */
export interface Command<Input extends z.ZodObject = z.ZodObject>
  extends Pick<DeclaredCommand<Input>, 'summary' | 'input' | 'columns' | 'needsSecret' | 'isFailure'> {
  /** Its words, such as `member add`. */
  readonly name: string;
  /** A result as text for people, in place of a table. */
  draw?(result: object): string;
  /** Runs it; each result is printed. */
  run(input: z.output<Input>, platform: Platform): Promise<object> | AsyncIterable<object>;
}
