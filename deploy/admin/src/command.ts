import type { Streams, SurveyOptions } from '@action-platform/bus';
import type { Call, Event, Survey, SurveyAnswer } from '@action-platform/contracts';
import type { LocalDirectory } from '@action-platform/local';
import type { z } from 'zod';

/** The connection of a command to the platform. */
export interface Dependencies {
  call<Input extends z.ZodObject, Output extends z.ZodType>(
    call: Call<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>>;
  /** Asks every replica; resolves with their answers when these are complete or the time is up. */
  survey<Answer extends SurveyAnswer>(
    survey: Survey<Answer>,
    options: SurveyOptions<z.output<Answer>>,
  ): Promise<z.output<Answer>[]>;
  /** Publishes an event to all replicas. */
  tell<Body extends z.ZodObject>(event: Event<Body>, body: z.input<Body>): Promise<void>;
  streams(): Promise<Streams>;
  readonly operator: string;
  /** The local platform; undefined for another one. */
  readonly local: LocalDirectory | undefined;
}

/** A command of an operator. Its name, options and help follow from this. */
export interface Command<Input extends z.ZodObject = z.ZodObject> {
  /** Its words, such as `member add`. */
  readonly name: string;
  /** Its description, in a sentence. */
  readonly summary: string;
  /** The columns of a listing's table; all fields by default. */
  readonly columns?: readonly string[] | undefined;
  /** Its options: the field `display_name` is `--display-name`. */
  readonly input: Input;
  /** Whether an input needs the field `secret`, which is read from standard input when no file is given. */
  readonly needsSecret?: ((input: Readonly<Record<string, unknown>>) => boolean) | undefined;
  /** Whether a result reports a failure: the command exits with 1. */
  readonly isFailure?: ((result: Readonly<Record<string, unknown>>) => boolean) | undefined;
  /** A result as text for people, in place of a table. */
  draw?(result: object): string;
  /** Runs it; each result is printed. */
  run(input: z.output<Input>, dependencies: Dependencies): Promise<object> | AsyncIterable<object>;
}
