import { pkce } from '@action-platform/testing/agents';
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { signInOfAgents } from '../../test/agents.ts';

const agents = signInOfAgents({ GATEWAY_UNAUTHENTICATED_PER_SECOND: '1000000' });
const RUNS = { numRuns: 300 };

/** Three programs, each with an address of its own. */
let clients: { id: string; redirect: string }[];
beforeAll(async () => {
  clients = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      const redirect = `https://${name}.example.com/callback`;
      return { id: await agents.register({ client_name: name, redirect_uris: [redirect] }), redirect };
    }),
  );
});

const which = fc.nat({ max: 2 });
const absent = fc.constant(undefined);
const junk = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom(
    '',
    '[object Object]',
    '%00',
    'apc_',
    'null',
    '{"$ne":null}',
    '__proto__',
    'a'.repeat(3_000),
  ),
);
const params = (given: Readonly<Record<string, string | undefined>>) =>
  new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** A consent of each of two Members of each program, not yet exchanged. */
async function consents() {
  const { owner, member } = agents.workspace;
  return await Promise.all(
    [owner, member].flatMap(({ userId }) =>
      clients.map(async ({ id, redirect }) => {
        const { verifier, challenge } = pkce();
        const asked = { clientId: id, redirectUri: redirect, codeChallenge: challenge };
        const token = await agents.fresh(userId);
        const { body } = await agents.consent({ ...asked, operations: ['record_store.get_usage'] }, token);
        const code = new URL(body.redirectTo).searchParams.get('code')!;
        return {
          code,
          code_verifier: verifier,
          client_id: id,
          redirect_uri: redirect,
          grant: body.grant.id as string,
        };
      }),
    ),
  );
}

test('no mixture of codes, verifiers, clients and addresses gives a token, but the one that belongs together', async () => {
  const one = fc.nat({ max: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          code: fc.oneof({ weight: 5, arbitrary: one }, junk),
          code_verifier: fc.oneof({ weight: 5, arbitrary: one }, junk, absent),
          client_id: fc.oneof({ weight: 5, arbitrary: one }, junk, absent),
          redirect_uri: fc.oneof({ weight: 5, arbitrary: one }, junk, absent),
          resource: fc.oneof(absent, junk),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      async (attempts) => {
        const made = await consents();
        const exchanged = new Set<number>();
        const seen = new Set<number>();
        for (const attempt of attempts) {
          const pick = (name: 'code' | 'code_verifier' | 'client_id' | 'redirect_uri') => {
            const value = attempt[name];
            return typeof value === 'number' ? made[value]![name] : value;
          };
          const form = {
            grant_type: 'authorization_code',
            code: pick('code'),
            code_verifier: pick('code_verifier'),
            client_id: pick('client_id'),
            redirect_uri: pick('redirect_uri'),
            resource: attempt.resource,
          };
          const response = await fetch(`${agents.urls[0]}/oauth/token`, {
            method: 'POST',
            body: params(form),
          });
          const body = (await response.json()) as { readonly error?: string };
          if (response.status !== 200) {
            expect([response.status, typeof body.error]).toEqual([400, 'string']);
            if (typeof attempt.code === 'number' && body.error === 'invalid_grant') seen.add(attempt.code);
            continue;
          }
          const index = attempt.code as number;
          const own = made[index]!;
          expect([seen.has(index), exchanged.has(index)]).toEqual([false, false]);
          exchanged.add(index);
          expect(form).toMatchObject({ code_verifier: own.code_verifier, client_id: own.client_id });
          expect([own.redirect_uri, undefined]).toContain(form.redirect_uri);
          const { db } = await agents.harness.platform.database('grants');
          const issued = await db
            .collection('grant_tokens')
            .countDocuments({ grant_id: own.grant, kind: 'access' });
          expect(issued).toBe(1);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('no request leads a browser to an address that its program has not registered', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        client_id: fc.oneof({ weight: 5, arbitrary: which }, junk, absent),
        redirect_uri: fc.oneof({ weight: 5, arbitrary: which }, junk, absent),
        mutation: fc.oneof(
          { weight: 3, arbitrary: fc.constant((uri: string) => uri) },
          fc.constantFrom<((uri: string) => string)[]>(
            (uri) => `${uri}/`,
            (uri) => `${uri}?a`,
            (uri) => `${uri}#`,
            (uri) => uri.replace('https://', 'https://a@'),
            (uri) => uri.replace('.example.com', '.example.com.evil.test'),
            (uri) => uri.replace('https:', 'javascript:'),
            (uri) => uri.toUpperCase(),
            (uri) => `${uri}%2f..`,
            (uri) => ` ${uri}`,
          ),
        ),
        response_type: fc.oneof(fc.constant('code'), junk, absent),
        code_challenge: fc.oneof(fc.constant(pkce().challenge), junk, absent),
        code_challenge_method: fc.oneof(fc.constant('S256'), junk, absent),
        resource: fc.oneof(absent, junk),
        state: fc.oneof(absent, junk),
        scope: fc.oneof(absent, junk),
      }),
      async ({ mutation, client_id, redirect_uri, ...others }) => {
        const client = typeof client_id === 'number' ? clients[client_id] : undefined;
        const uri =
          typeof redirect_uri === 'number' ? mutation(clients[redirect_uri]!.redirect) : redirect_uri;
        const query = params({
          client_id: client?.id ?? (client_id as string | undefined),
          redirect_uri: uri,
          ...others,
        });
        const response = await fetch(`${agents.urls[0]}/oauth/authorize?${query}`, { redirect: 'manual' });
        await response.arrayBuffer();
        const location = response.headers.get('location');
        if (client === undefined || uri !== client.redirect) {
          expect([response.status, location]).toEqual([400, null]);
          return;
        }
        expect(response.status).toBe(302);
        const isConsent = location!.startsWith('/console/connect?');
        const isBack = location!.startsWith(`${client.redirect}?error=`);
        expect(isConsent || isBack).toBe(true);
      },
    ),
    RUNS,
  );
});

test('no body of any endpoint is answered in another form than that of OAuth', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('token', 'register', 'revoke'),
      fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', ''),
      fc.oneof(
        junk,
        fc.json(),
        fc
          .dictionary(
            fc.constantFrom(
              'grant_type',
              'code',
              'client_id',
              'refresh_token',
              'token',
              'assertion',
              'grant_id',
            ),
            fc.oneof(
              junk,
              fc.constantFrom(
                'authorization_code',
                'refresh_token',
                'urn:ietf:params:oauth:grant-type:jwt-bearer',
              ),
            ),
          )
          .map((form) => params(form).toString()),
        fc
          .record(
            { redirect_uris: fc.array(fc.oneof(junk, fc.webUrl())), client_name: junk },
            { requiredKeys: [] },
          )
          .map((registration) => JSON.stringify(registration)),
      ),
      async (path, type, body) => {
        const headers = { 'Content-Type': type };
        const response = await fetch(`${agents.urls[0]}/oauth/${path}`, { method: 'POST', headers, body });
        const answer = (await response.json()) as Readonly<Record<string, unknown>>;
        expect([200, 201, 400]).toContain(response.status);
        expect(response.headers.get('x-request-id')).toEqual(expect.any(String));
        if (response.status === 400) expect(answer).toMatchObject({ error: expect.any(String) });
        if (path === 'token') expect(answer.access_token).toBeUndefined();
      },
    ),
    RUNS,
  );
});
