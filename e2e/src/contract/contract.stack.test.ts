import { operations } from '@action-platform/contracts/operations';
import { connectorRoutes, isMemberRoute } from '@action-platform/contracts/resources';
import { httpRoutes, type Route } from '@action-platform/contracts/routes';
import type { JsonSchema } from '@action-platform/contracts/schema';
import type { Demo } from '@action-platform/local';
import { type CreatedGrant, createGrant, type Json, send } from '@action-platform/testing/http';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { SharedStack } from '../shared-stack.ts';
import { nearlyAccepted } from './mutation.ts';
import { type DocumentedRoute, documentedRoutes, isAcceptedBy, undocumented } from './openapi.ts';

jest.setTimeout(600_000);

/** Requests per route. */
const RUNS = 20;

const stack = new SharedStack();
let demo: Demo;
/** Of a sign-in of now, as some routes require. */
let fresh: string;
let routes: readonly DocumentedRoute[];
/** One of each kind, of an Owner. */
let grants: readonly CreatedGrant[];

beforeAll(async () => {
  demo = await stack.workspace();
  fresh = await stack.operator.freshToken(demo.workspace_id, demo.owner.user_id);
  routes = await documentedRoutes(demo.base_url);
  const { base_url, owner } = demo;
  const operations = ['audit.list_entries'];
  const maximumCadence = { invocations: 1000, periodSeconds: 3600 };
  grants = [
    await createGrant(base_url, owner.token, { operationScope: 'record_store.get_record' }),
    await createGrant(base_url, owner.token, { name: 'job', operations, data: {}, maximumCadence }),
  ];
});

const declared = httpRoutes(operations);
const nameOf = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;
const withBody = declared.filter(({ path, requestBody }) => requestBody !== undefined && !path.includes('{'));
const listings = declared.filter((route) => /^GET \/api\/v1\/\w+-grants$/.test(nameOf(route)));
const routeOf = (name: string) => routes.find(({ method, path }) => `${method} ${path}` === name)!;
const isOperation = ({ path }: DocumentedRoute) => path.startsWith('/api/v1/operations/');
const ask = (
  { method, path }: DocumentedRoute,
  more: { token?: string; body?: string; query?: string } = {},
) =>
  send(demo.base_url, {
    ...{ method, token: 'token' in more ? more.token : fresh, body: more.body },
    path: `${path.replaceAll(/\{\w+\}/g, 'x')}${more.query ?? ''}`,
  });
const INVALID = ['invalid_request', 'record_store_invalid_payload'];

describe.each(withBody.map(nameOf))('%s', (name) => {
  test('accepts exactly what its published schemas accept, and answers only as documented', async () => {
    const here = routeOf(name);
    const body = here.body!;
    await fc.assert(
      fc.asyncProperty(nearlyAccepted(body), async (input) => {
        const answer = await ask(here, { body: JSON.stringify(input) });
        expect({ input, undocumented: undocumented(here, answer) }).toEqual({ input, undocumented: [] });
        expect(answer.status).toBeLessThan(500);
        // A payload that is no object is refused alone, in its outcome.
        const ofItem = answer.json.result?.outcomes?.find(({ error }: Json) => INVALID.includes(error?.code));
        const isRefused = INVALID.includes(answer.code) || ofItem !== undefined;
        if (!isAcceptedBy(body, input)) expect({ input, isRefused }).toEqual({ input, isRefused: true });
        // A cursor must come from a listing, the objects that a filter names must exist, and a period has a longest length.
        else if (
          isOperation(here) &&
          !['cursor', 'collection_ids', 'from'].some((field) => field in (input as object))
        )
          expect({ input, isRefused }).toEqual({ input, isRefused: false });
      }),
      { numRuns: RUNS },
    );
  });
});

test.each(listings.map(nameOf))(
  '%s accepts exactly the queries that its published parameters accept',
  async (name) => {
    const here = routeOf(name);
    const { query } = here;
    const queries = nearlyAccepted(query).filter((value) => typeof value === 'object' && value !== null);
    await fc.assert(
      fc.asyncProperty(queries, async (asked) => {
        const texts = Object.entries(asked as object).map(([field, value]) => [
          field,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]);
        const parameters: Record<string, string> = Object.fromEntries(new URLSearchParams(texts));
        const answer = await ask(here, { query: `?${new URLSearchParams(parameters)}` });
        expect(undocumented(here, answer)).toEqual([]);
        const isAccepted = isAcceptedBy(query, read(parameters, query)) && parameters.cursor === undefined;
        expect({ parameters, status: answer.status }).toEqual({ parameters, status: isAccepted ? 200 : 400 });
      }),
      { numRuns: RUNS },
    );
  },
);

/** A query with its whole numbers read as numbers. */
function read(parameters: Record<string, string>, { properties }: JsonSchema): object {
  const entries = Object.entries(parameters).map(([name, text]) => {
    const isNumber = properties?.[name]?.type === 'integer' && /^-?\d+$/.test(text);
    return [name, isNumber ? Number(text) : text];
  });
  return Object.fromEntries(entries);
}

test('every route that needs a token refuses a missing and a wrong one', async () => {
  for (const here of routes.filter(({ needsToken }) => needsToken)) {
    for (const token of [undefined, 'nonsense', `${fresh}x`]) {
      const answer = await ask(here, { token: token!, ...(here.body && { body: '{}' }) });
      const code = token === undefined ? 'authentication_required' : 'invalid_token';
      expect([here.path, answer.status, answer.code]).toEqual([here.path, 401, code]);
      expect(undocumented(here, answer)).toEqual([]);
    }
  }
});

test.each(declared.filter(isMemberRoute).map(nameOf))(
  '%s refuses every grant: a Member must sign in',
  async (name) => {
    const here = routeOf(name);
    for (const { secret } of grants) {
      const answer = await ask(here, { token: secret, ...(here.body && { body: '{}' }) });
      expect([answer.status, answer.code]).toEqual([403, 'member_session_required']);
    }
  },
);

test('every route for a Member who has just signed in refuses another session, and those of connectors a Member', async () => {
  const codeOf = async (route: Route, token: string) => {
    const here = routeOf(nameOf(route));
    return [nameOf(route), (await ask(here, { token, ...(here.body && { body: '{}' }) })).code];
  };
  for (const route of declared.filter(isMemberRoute).filter(({ freshSignIn }) => freshSignIn))
    expect(await codeOf(route, demo.owner.token)).toEqual([nameOf(route), 'fresh_sign_in_required']);
  const member = await stack.operator.freshToken(demo.workspace_id, demo.member.user_id);
  for (const route of Object.values(connectorRoutes))
    expect(await codeOf(route, member)).toEqual([nameOf(route), 'owner_role_required']);
});

test('every route with a body refuses hostile names, 100 levels and 3 MiB', async () => {
  const hostile = {
    '{"__proto__":{"isAdmin":true}}': 'invalid_request',
    '{"constructor":{"prototype":{}}}': 'invalid_request',
    '{"$where":"sleep(1000)"}': 'invalid_request',
    '{"\\u0000":1}': 'invalid_request',
    [`${'{"payload":'.repeat(100)}1${'}'.repeat(100)}`]: 'invalid_request',
    [`{"name":"${'x'.repeat(3 * 2 ** 20)}"}`]: 'request_body_too_large',
  };
  for (const here of routes.filter(({ body }) => body !== undefined)) {
    for (const [body, code] of Object.entries(hostile)) {
      const answer = await ask(here, { body });
      expect(undocumented(here, answer)).toEqual([]);
      expect([here.path, body.slice(0, 40), answer.code]).toEqual([here.path, body.slice(0, 40), code]);
    }
  }
});

test('no process restarted during the tests', async () => {
  expect(await stack.output()).not.toContain('starting it again');
});
