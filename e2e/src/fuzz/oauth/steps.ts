import { anyCharacter } from '@action-platform/testing/arbitraries';
import fc, { type Arbitrary } from 'fast-check';

/** The programs, and the people of two Workspaces, of a sign-in. */
export const PROGRAMS = 3;
const PEOPLE = 4;

/** A value that steps take from what a sign-in has, by its place, or one that no program has. Undefined leaves it out. */
export type Choice = number | string | undefined;

const junk = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(
    '',
    '[object Object]',
    '%00',
    'apc_',
    'apf_',
    '{"$ne":null}',
    '__proto__',
    '\r\nLocation: /',
  ),
  fc.constantFrom('a'.repeat(43), 'a'.repeat(3_000), 'https://127.0.0.1/client.json', 'javascript:alert(1)'),
);
/** Mostly the value that belongs to the others of its step, as the place -1 says. */
const choice: Arbitrary<Choice> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(-1) },
  { weight: 3, arbitrary: fc.nat(20) },
  { weight: 1, arbitrary: junk },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const optional = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, junk);

/** Changes of a redirect URI that must not count. */
const altered = fc.oneof(
  { weight: 5, arbitrary: fc.constant((uri: string) => uri) },
  fc.constantFrom<((uri: string) => string)[]>(
    (uri) => `${uri}/`,
    (uri) => `${uri}?a`,
    (uri) => `${uri}#`,
    (uri) => `${uri}%2f..`,
    (uri) => ` ${uri}`,
    (uri) => uri.toUpperCase(),
    (uri) => uri.replace('https://', 'https://a@'),
    (uri) => uri.replace('.example.com', '.example.com.attacker.test'),
    (uri) => uri.replace('https:', 'javascript:'),
  ),
);
const asked = { program: fc.nat(PROGRAMS - 1), client: choice, redirect: choice, altered };

const kinds = {
  authorize: fc.record({
    ...asked,
    type: fc.oneof(fc.constant('code'), junk),
    challenge: fc.oneof(fc.constant('c'.repeat(43)), optional),
    method: fc.oneof(fc.constant('S256'), optional),
    ...{ resource: optional, state: optional, scope: optional },
  }),
  consent: fc.record({
    ...{ ...asked, person: fc.nat(PEOPLE - 1) },
    /** Whose token it comes with: mostly that of a person who has just signed in. */
    by: fc.constantFrom('fresh', 'fresh', 'fresh', 'fresh', 'session', 'access', 'nobody'),
    data: fc.constantFrom('own', 'own', 'own', 'other'),
    ...{ resource: optional, state: optional },
  }),
  page: fc.record({ ...asked, person: fc.nat(PEOPLE - 1) }),
  exchange: fc.record({
    ...{ code: fc.nat(20), verifier: choice, client: choice, redirect: choice, resource: optional },
    shown: optional,
  }),
  refresh: fc.record({ refresh: fc.nat(20), client: choice, shown: optional, resource: optional }),
  revoke: fc.record({
    ...{ token: fc.nat(20), what: fc.constantFrom('access', 'refresh'), client: choice },
    shown: optional,
  }),
  call: fc.record({ access: fc.nat(20) }),
  raw: fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT'),
    path: fc.constantFrom(
      ...['/oauth/authorize', '/oauth/token', '/oauth/register', '/oauth/revoke', '/oauth/', '/oauth/%2e%2e'],
      ...['/console/connect', '/api/v1/agent-authorizations', '/.well-known/oauth-authorization-server'],
    ),
    query: fc.webQueryParameters(),
    type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain'),
    body: fc.oneof(junk, fc.json()),
  }),
};

/** A step of a sign-in with its kind. */
export type OAuthStep = {
  [Kind in keyof typeof kinds]: {
    readonly is: Kind;
    readonly of: (typeof kinds)[Kind] extends Arbitrary<infer Of> ? Of : never;
  };
}[keyof typeof kinds];

const one = <Kind extends keyof typeof kinds>(is: Kind, weight: number) => ({
  arbitrary: (kinds[is] as Arbitrary<object>).map((of) => ({ is, of }) as unknown as OAuthStep),
  weight,
});

/** The steps of programs and people that sign in. */
export const oauthSteps: Arbitrary<OAuthStep[]> = fc.array(
  fc.oneof(
    ...[one('authorize', 3), one('consent', 4), one('page', 1), one('exchange', 5), one('refresh', 4)],
    ...[one('revoke', 1), one('call', 4), one('raw', 3)],
  ),
  { maxLength: 14 },
);
