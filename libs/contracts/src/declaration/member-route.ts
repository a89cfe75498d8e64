import { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.ts';
import { bodyErrors, credentialErrors, platformFailures } from '../errors/groups.ts';
import { exampleOf } from '../schema/example.ts';
import { idempotencyKeyHeader } from '../schema/request-headers.ts';
import { serviceOf } from '../services/services.ts';
import { type Call, operationSubject } from './call.ts';
import type { Route, RouteAnswer } from './route.ts';

/**
 * A call by a route of the HTTP interface, for signed-in Members alone: what governs authority is no operation, and no tool. Its service
 * finds the Member before it reads the input, which is strict: the parameters of the path, and beside them the body, or the query of a GET.
 */
export interface MemberRoute<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Call<Input, Output>,
    Route {
  readonly audience: 'member';
  /** Set when the Member must have signed in at the console within the last minutes: a person decides, and no token that an agent holds. */
  readonly freshSignIn?: true;
  /** Set when the answer is a file. */
  readonly file?: AnswerFiles;
}

/** The forms of an answer that a browser saves as a file. */
interface AnswerFiles {
  /** Without an extension. */
  readonly name: string;
  /** The media type of each form; a form is also the extension. */
  readonly types: Readonly<Record<string, string>>;
  /** The field of the input that names the form. When left out, the header Accept decides. */
  readonly field: string;
}

/** The content of a route's declaration; all else follows from it. */
interface Stated<Input extends z.ZodObject, Output extends z.ZodType>
  extends Pick<MemberRoute<Input, Output>, 'id' | 'method' | 'path' | 'title' | 'description'>,
    Pick<
      MemberRoute<Input, Output>,
      'input' | 'output' | 'file' | 'freshSignIn' | 'targets' | 'targetMembers'
    > {
  /** Set when only Owners may call it. */
  readonly role?: 'owner';
  /** Fields of the example that do not follow from the input. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** The answer of a success, with status 200 by default; a file has no example. */
  readonly answer: Pick<RouteAnswer, 'description' | 'example'> & Partial<Pick<RouteAnswer, 'status'>>;
  /** The error codes of this route beside those of every route for Members, and of every route with parameters in its path. */
  readonly errors?: readonly ErrorCode[];
}

/** Declares a route for Members; a resource in `resources/` lists it. */
export function defineMemberRoute<Input extends z.ZodObject, Output extends z.ZodType>({
  role,
  example,
  answer,
  errors = [],
  ...call
}: Stated<Input, Output>): MemberRoute<Input, Output> {
  const { id, method, path, input, output, file } = call;
  const service = serviceOf(id);
  const effect = method === 'get' ? 'read' : 'write';
  const { inPath, beside } = parametersIn(path, input);
  const namesTarget = effect === 'write' && inPath !== undefined && 'id' in inPath.shape;
  const takesBody = effect === 'write' && beside !== undefined;
  const header = idempotencyKeyHeader(input);
  const parameters = {
    ...(inPath !== undefined && { path: inPath }),
    ...(beside !== undefined && !takesBody && { query: beside }),
    ...(header !== undefined && { header }),
  };
  return {
    ...(namesTarget && { targets: ({ id }) => [id] }),
    ...call,
    service,
    audience: 'member',
    callers: ['gateway'],
    subject: operationSubject({ service, id }),
    effect,
    idempotent: header === undefined ? 'always' : 'by_key',
    operationId: camelCase(id.slice(id.indexOf('.') + 1)),
    tag: service.replaceAll('-', '_'),
    caller: 'member',
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(takesBody && { requestBody: { schema: beside, example: exampleOf(beside, example) } }),
    answers: [{ status: 200, ...answer, body: file === undefined ? output : Object.values(file.types) }],
    errors: [
      ...new Set<ErrorCode>([
        ...(takesBody ? bodyErrors : (['invalid_request'] as const)),
        ...credentialErrors,
        'workspace_membership_required',
        'workspace_suspended',
        ...(role === 'owner' ? (['owner_role_required'] as const) : []),
        'member_session_required',
        ...(call.freshSignIn ? (['fresh_sign_in_required'] as const) : []),
        ...errors,
        ...(inPath === undefined ? [] : (['route_not_found'] as const)),
        ...platformFailures[effect],
      ]),
    ],
  };
}

/** Whether a service answers a route as a call; the gateway answers the others itself. */
export function isMemberRoute(route: Route): route is MemberRoute {
  return 'audience' in route;
}

/** The fields of an input that are parameters of the path, and the others, each undefined without any. */
function parametersIn(path: string, input: z.ZodObject) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  // A parameter of a path is text; its service bounds it.
  const described = names.map((name) => {
    const { description, examples } = input.shape[name]!.meta()!;
    return [name, z.string().meta({ description, examples })];
  });
  const inBody = Object.fromEntries(names.map((name) => [name, true])) as Record<string, never>;
  const beside = names.length === 0 ? input : input.omit(inBody);
  return {
    inPath: names.length === 0 ? undefined : z.strictObject(Object.fromEntries(described)),
    beside: Object.keys(beside.shape).length === 0 ? undefined : beside,
  };
}

/** `create_operation_grant` → `createOperationGrant`. */
function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
