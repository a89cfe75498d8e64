import { isDeepStrictEqual } from 'node:util';
import { operations } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { send } from '../http.ts';
import { SharedStack } from '../shared-stack.ts';
import { execute } from '../stack-process.ts';
import { nearlyAccepted } from './mutation.ts';
import { type ApiDocument, type DocumentedRoute, isAcceptedBy, routesOf, undocumented } from './openapi.ts';
import type { JsonSchema } from './schema-arbitrary.ts';

jest.setTimeout(600_000);

/** Requests per route; raise it for a longer hunt. */
const RUNS = Number(process.env.CONTRACT_RUNS ?? 30);
const DAY_MS = 86_400_000;

let stack: SharedStack;
let demo: Demo;
let routes: readonly DocumentedRoute[];
let collectionId: string;
let senderId: string;
let secret: string;

beforeAll(async () => {
  stack = await SharedStack.join();
  demo = await stack.workspace();
  routes = routesOf((await (await fetch(`${demo.base_url}/api/v1/openapi.json`)).json()) as ApiDocument);
  collectionId = (await result('record_store.create_collection', { name: 'granted' })).collection.id;
  senderId = (await result('mail.list_authorized_senders', {})).senders[0]!.sender_id;
  const { text } = await create('operation', { operationScope: 'mail.send_email', expiresAt: inDays(1) });
  secret = JSON.parse(text).secret;
});
afterAll(() => stack.leave());

interface Results {
  readonly collection: { readonly id: string };
  readonly senders: readonly { readonly sender_id: string }[];
}

async function result(operation: string, input: object): Promise<Results> {
  return (await execute(demo.base_url, demo.owner.token, operation, input)).body.result as unknown as Results;
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const route = (method: string, path: string) =>
  routes.find((known) => known.method === method && known.path === path)!;
const create = (kind: string, body: unknown) =>
  send(demo.base_url, {
    method: 'POST',
    path: `/api/v1/${kind}-grants`,
    token: demo.owner.token,
    body: JSON.stringify(body),
  });

type GrantRequest = Partial<Record<string, unknown>> & {
  readonly expiresAt: string;
  readonly idempotencyKey?: string;
  readonly data?: Partial<Record<'collectionIds' | 'senderIds' | 'fileScopes', readonly string[]>>;
};

/** The invalid fields of a request beyond what its schema can express. */
function wrongBeyondSchema(request: GrantRequest): string[] {
  const { data = {}, expiresAt } = request;
  const named = [request.operationScope ?? request.operations].flat() as string[];
  const asked = named.map((id) => operations.get(id));
  const drafts = asked.some((operation) => operation?.dataScope?.outputDefinition !== undefined);
  const ahead = Date.parse(expiresAt) - Date.now();
  const isRoutine = request.operationScope === undefined;
  /** Whether an operation reaches data of a kind of which the grant lists none. */
  const reachesUnlisted = (kind: keyof typeof data) =>
    isRoutine && !data[kind]?.length && asked.some((operation) => operation?.dataScope?.kind === kind);
  const wrong = {
    expiresAt: !(ahead > 0 && ahead <= 366 * DAY_MS),
    operationScope: !isRoutine && asked.includes(undefined),
    operations: isRoutine && asked.includes(undefined),
    'data.collectionIds':
      data.collectionIds?.some((id) => id !== collectionId) || reachesUnlisted('collectionIds'),
    'data.senderIds': data.senderIds?.some((id) => id !== senderId) || reachesUnlisted('senderIds'),
    'data.fileScopes': reachesUnlisted('fileScopes'),
    outputDefinition: isRoutine && drafts && request.outputDefinition === undefined,
  };
  return Object.entries(wrong).flatMap(([field, isWrong]) => (isWrong ? [field] : []));
}

/** The schema with free texts narrowed to existing ids, so that many requests succeed. */
function meaningful(schema: JsonSchema): JsonSchema {
  const ids = { type: 'string', enum: [...operations.keys()] };
  const list = (...values: string[]) => ({
    type: 'array',
    items: { enum: values },
    minItems: 1,
    maxItems: 2,
  });
  const likely: Record<string, JsonSchema> = {
    expiresAt: { enum: [inDays(1), inDays(365), inDays(30).replace('Z', '+05:30')] },
    operationScope: ids,
    operations: { type: 'array', items: ids, minItems: 1, maxItems: 3 },
    data: {
      type: 'object',
      properties: {
        collectionIds: list(collectionId),
        senderIds: list(senderId),
        fileScopes: list('company', 'personal'),
      },
    },
  };
  const properties = Object.entries(schema.properties!).map(([name, own]) => [name, likely[name] ?? own]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

describe.each(['operation', 'routine'])('%s grants', (kind) => {
  const path = `/api/v1/${kind}-grants`;

  test('are created exactly when the published schema accepts the request and the Member can grant it', async () => {
    const here = route('POST', path);
    const outcomes = new Set<number>();
    /** The request of each idempotency key; the platform refuses a different one with the same key. */
    const created = new Map<string, object>();
    const bodies = fc.oneof(nearlyAccepted(here.body!), nearlyAccepted(meaningful(here.body!)));
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const answer = await create(kind, body);
        const { message = '', code } = JSON.parse(answer.text).error ?? {};
        outcomes.add(answer.status);
        expect(undocumented(here, answer)).toEqual([]);
        const isAccepted = isAcceptedBy(here.body!, body);
        const wrong = isAccepted ? wrongBeyondSchema(body as GrantRequest) : [];
        const { idempotencyKey: key, ...rest } = { data: {}, ...(body as GrantRequest) };
        const earlier = isAccepted && key !== undefined ? created.get(key) : undefined;
        if (earlier !== undefined && !isDeepStrictEqual(earlier, rest)) {
          expect([answer.status, code]).toEqual([400, 'grant_idempotency_conflict']);
          return;
        }
        const isCreated = isAccepted && wrong.length === 0;
        expect({ body, status: answer.status, message }).toMatchObject({ status: isCreated ? 201 : 400 });
        if (isCreated && key !== undefined) created.set(key, rest);
        if (!isCreated) expect(code).toBe('invalid_request');
        // The message of the refusal names a field that the schema could not check.
        if (wrong.length > 0) expect(wrong).toContain(message.split(':')[0]);
      }),
      { numRuns: RUNS * 3 },
    );
    expect(outcomes).toEqual(new Set([201, 400]));
  });

  test('are listed for exactly the queries that the published parameters accept', async () => {
    const here = route('GET', path);
    const { query } = here.parameters;
    await fc.assert(
      fc.asyncProperty(queries(query), async (parameters) => {
        const answer = await send(demo.base_url, {
          method: 'GET',
          path: `${path}?${new URLSearchParams(parameters)}`,
          token: demo.owner.token,
        });
        expect(undocumented(here, answer)).toEqual([]);
        // A schema cannot express that a cursor must come from this listing.
        const isAccepted = isAcceptedBy(query, read(parameters, query)) && parameters.cursor === undefined;
        expect({ parameters, status: answer.status }).toEqual({ parameters, status: isAccepted ? 200 : 400 });
      }),
      { numRuns: RUNS },
    );
  });

  test('with an unknown id are not revoked', async () => {
    const here = route('DELETE', `${path}/{id}`);
    const ids = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 250 }),
      fc.constantFrom('.', '..', '../..', '\0', '__proto__', '$where', 'a'.repeat(200), '😀'.repeat(201)),
    );
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        const answer = await send(demo.base_url, {
          method: 'DELETE',
          path: `${path}/${encodeURIComponent(id)}`,
          token: demo.owner.token,
        });
        expect(undocumented(here, answer)).toEqual([]);
        expect(JSON.parse(answer.text).error.code).toBe(id === '' ? 'route_not_found' : 'grant_not_found');
      }),
      { numRuns: RUNS },
    );
  });
});

/** Queries near what a schema of parameters accepts, as the texts they are on the way. */
function queries(schema: JsonSchema): Arbitrary<Record<string, string>> {
  return nearlyAccepted(schema)
    .filter((query) => typeof query === 'object' && query !== null)
    .map((query) => Object.fromEntries(new URLSearchParams(Object.entries(query as object).map(asTexts))));
}

function asTexts([name, value]: [string, unknown]): [string, string] {
  return [name, typeof value === 'string' ? value : JSON.stringify(value)];
}

/** A query with its whole numbers read as numbers. */
function read(parameters: Record<string, string>, { properties }: JsonSchema): object {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, text]) => {
      const isNumber = properties?.[name]?.type === 'integer' && /^-?\d+$/.test(text);
      return [name, isNumber ? Number(text) : text];
    }),
  );
}

describe('every route of the document', () => {
  test('refuses a missing and a wrong token, when it needs one', async () => {
    const tokens = {
      none: undefined,
      wrong: 'nonsense',
      forged: `${demo.owner.token}x`,
      grant: `${secret}x`,
    };
    for (const here of routes.filter(({ needsToken }) => needsToken)) {
      for (const [what, token] of Object.entries(tokens)) {
        const body = here.body === undefined ? undefined : '{}';
        const path = here.path.replaceAll(/\{\w+\}/g, 'x');
        const answer = await send(demo.base_url, { method: here.method, path, token, body });
        const { code } = JSON.parse(answer.text).error;
        const wanted = what === 'none' ? 'authentication_required' : 'invalid_token';
        expect([here.path, what, answer.status, code]).toEqual([here.path, what, 401, wanted]);
        expect(undocumented(here, answer)).toEqual([]);
      }
    }
  });

  test('refuses hostile names, bodies 100 levels deep and bodies of 3 MiB, when it takes a body', async () => {
    const hostile = {
      '{"__proto__":{"isAdmin":true}}': 'invalid_request',
      '{"constructor":{"prototype":{}}}': 'invalid_request',
      '{"$where":"sleep(1000)"}': 'invalid_request',
      '{"\\u0000":1}': 'invalid_request',
      '{"": 1}': 'invalid_request',
      [`${'{"payload":'.repeat(100)}1${'}'.repeat(100)}`]: 'invalid_request',
      [`{"data":${'['.repeat(100)}${']'.repeat(100)}}`]: 'invalid_request',
      [`{"name":"${'x'.repeat(3 * 2 ** 20)}"}`]: 'request_body_too_large',
    };
    for (const here of routes.filter(({ body }) => body !== undefined)) {
      for (const [body, code] of Object.entries(hostile)) {
        const answer = await send(demo.base_url, { ...here, token: demo.owner.token, body });
        const sent = body.slice(0, 40);
        expect(undocumented(here, answer)).toEqual([]);
        expect([here.path, sent, JSON.parse(answer.text).error?.code]).toEqual([here.path, sent, code]);
      }
    }
  });
});

test('no process restarted during the tests', async () => {
  expect(await stack.output()).not.toContain('starting it again');
});
