import type { SurveyOptions } from '@action-platform/bus';
import type { Call, Event, Survey, SurveyAnswer } from '@action-platform/contracts';
import type { LocalDirectory } from '@action-platform/local';
import type { z } from 'zod';

/** What a command works with. */
export interface Dependencies {
  /** Makes one of the calls that only operators may make, of the platform that is meant. */
  call<Input extends z.ZodObject, Output extends z.ZodType>(
    call: Call<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>>;
  /** Asks every replica of it, and resolves with what they have answered when that is complete or the time is up. */
  survey<Answer extends SurveyAnswer>(
    survey: Survey<Answer>,
    options: SurveyOptions<z.output<Answer>>,
  ): Promise<z.output<Answer>[]>;
  /** Tells all replicas of the platform that is meant; none of them answers. */
  tell<Body extends z.ZodObject>(event: Event<Body>, body: z.input<Body>): Promise<void>;
  /** Who types, as they say themselves. */
  readonly operator: string;
  /** The local platform; undefined when another one is meant. */
  readonly local: LocalDirectory | undefined;
}

/** One of the things an operator can do. What it is called, what it takes and its help follow from this. */
export interface Command<Input extends z.ZodObject = z.ZodObject> {
  /** As it is typed, such as `member add`. */
  readonly name: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  /** The fields of each item that a table of its listing shows; all of them when left out. */
  readonly columns?: readonly string[] | undefined;
  /** Its options: the field `display_name` is `--display-name`. */
  readonly input: Input;
  /** Does it; what it returns is printed, one after the other when there are several. */
  run(input: z.output<Input>, dependencies: Dependencies): Promise<object> | AsyncIterable<object>;
}
