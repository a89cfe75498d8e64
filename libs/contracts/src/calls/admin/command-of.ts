import { z } from 'zod';
import type { Declared } from '../../declaration/call.ts';
import { type Command, defineCommand } from '../../declaration/command.ts';
import type { MemberRoute } from '../../declaration/member-route.ts';
import { isObject } from '../../schema/is-object.ts';

/** The result of a call that a route for Members has, too. */
type ResultOf<Route extends MemberRoute> = z.ZodCustom<z.output<Route['output']>>;

type Stated<Input extends z.ZodObject, Route extends MemberRoute> = Omit<
  Declared<Command<Input, ResultOf<Route>>, 'idempotent' | 'effect' | 'output'>,
  'summary'
> & { readonly summary?: string };

/**
 * Declares the command by which operators make the call of a route for Members: one handler serves the command and the route, with one
 * result.
 *
 * @param command.summary by default the title and the description of the route.
 */
export function defineCommandOf<Input extends z.ZodObject, Route extends MemberRoute>(
  { title, description, effect }: Route,
  command: Stated<Input, Route>,
): Command<Input, ResultOf<Route>> {
  return defineCommand<Input, ResultOf<Route>>({
    summary: `${title}. ${description}`,
    ...command,
    effect,
    output: result(),
  });
}

/** The result of a command. Services of the version before named some fields otherwise, so no field is required. */
export function result<Result>(): z.ZodCustom<Result> {
  return z.custom<Result>(isObject);
}
