import type { MemberRoute } from '@action-platform/contracts/resources';
import { largestBody, publishedSchema } from '@action-platform/contracts/schema';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import type { SentCall } from '../dispatch/sent-call.ts';
import { httpAnswer } from '../http/answers/http-answer.ts';
import { send } from '../http/answers/send.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { HttpBody } from '../http/body.ts';
import { headerProblemOf, idempotencyKeyOf } from '../http/request-headers.ts';

type MemberRequest = Request<Record<string, string>>;

/** The handler of a declared route for Members, which has its service answer. The service validates the input. */
export function memberHandler({ calls, config }: Dependencies, route: MemberRoute) {
  const { id } = route;
  const limit = largestBody(route.input, config);
  const parametersOf = parameterReader(route);
  const [{ status } = { status: 200 }] = route.answers;
  return async (request: MemberRequest, response: ApiResponse): Promise<void> => {
    const { exchange } = response.locals;
    const body = new HttpBody(request as Request, response, exchange, limit);
    const problem = headerProblemOf(request);
    const idempotencyKey = idempotencyKeyOf(request);
    const sent = { id, called: route, body, problem, idempotencyKey, ...parametersOf(request) };
    const outcome = await calls.handle(exchange, sent);
    const answer = httpAnswer(outcome, exchange.requestId, 'member_route', status);
    await send(request, response, answer);
  };
}

/** The part of a call that its request has in its address. */
type Parameters = Pick<SentCall, 'input' | 'path' | 'file'>;

function parameterReader(route: MemberRoute): (request: MemberRequest) => Parameters {
  const { parameters = {}, requestBody, file } = route;
  const { path, query } = parameters;
  if (requestBody !== undefined) return ({ params }) => (path === undefined ? {} : { path: { ...params } });
  // A route that is named by its path alone ignores a query; every other one refuses unknown parameters.
  if (path !== undefined && query === undefined) return ({ params }) => ({ input: { ...params } });
  const numbers = integersIn(query);
  return (request) => {
    const given = { ...withNumbers(request.query, numbers), ...request.params };
    if (file === undefined) return { input: given };
    const form = (request.query[file.field] as string | undefined) ?? acceptedForm(request, file.types);
    return {
      input: { ...given, [file.field]: form },
      file: { mediaType: file.types[form]!, name: `${file.name}.${form}` },
    };
  };
}

/** The form that the header Accept prefers, by default the first one (RFC 9110, section 12.5.1). */
function acceptedForm(request: MemberRequest, types: Readonly<Record<string, string>>): string {
  const forms = Object.keys(types);
  const accepted = request.accepts(Object.values(types));
  return forms.find((form) => types[form] === accepted) ?? forms[0]!;
}

/** The names of the parameters of a query that are integers. */
function integersIn(query: MemberRoute['input'] | undefined): readonly string[] {
  if (query === undefined) return [];
  const { properties = {} } = publishedSchema(query, 'input');
  return Object.keys(properties).filter((name) => properties[name]!.type === 'integer');
}

/** A query with digits as numbers in these parameters; other text stays, for the schema to refuse. */
function withNumbers(query: Request['query'], names: readonly string[]): Readonly<Record<string, unknown>> {
  const numbers = names.flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' && /^\d{1,9}$/.test(value) ? [[name, Number(value)] as const] : [];
  });
  return { ...query, ...Object.fromEntries(numbers) };
}
