import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { consoleRoutes } from '@action-platform/contracts/routes';
import type { LocalDirectory } from '../local-directory.ts';
import { readAuthorization } from './authorization.ts';
import { AuthorizationCodes } from './codes.ts';
import { pageStyle, signedOutPage, signInPage } from './pages.ts';
import {
  issueToken,
  keySet,
  LOCAL_ALGORITHM,
  LOCAL_ISSUER,
  LOCAL_TOKEN_SECONDS,
  openIssuerKey,
} from './tokens.ts';

/** The Workspace and the users that may sign in, as they are now. */
export type DemoUsers = () => { readonly workspaceId: string; readonly users: readonly string[] };

interface IssuerOptions {
  readonly directory: LocalDirectory;
  readonly origins: readonly string[];
  readonly demo: DemoUsers;
}

interface IssuerAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Route = (
  query: URLSearchParams,
  form: URLSearchParams,
  session: string,
) => IssuerAnswer | Promise<IssuerAnswer>;

/** The most characters of a form: far above those of the console. */
const FORM_MAX_LENGTH = 16 * 1024;

/** The header of an answer whose request has a body that is not read: its connection ends. */
const CLOSED = { Connection: 'close' };

/** The cookie that names the session of a browser, at the issuer's pages alone. */
const COOKIE = 'action-platform-issuer';
const COOKIE_RULES = 'Path=/authorize; HttpOnly; SameSite=Strict';

/** The addresses of an issuer that others read. */
export const issuerAddresses = (url: string) => ({
  metadata: `${url}/.well-known/openid-configuration`,
  keys: `${url}/jwks.json`,
});

/**
 * Serves the local issuer as an OpenID provider on a free port of this machine: metadata, keys, and the code flow with PKCE for the
 * console alone. A browser that has signed in needs no other click until it signs out. Returns its address.
 */
export async function serveIssuer({ directory, origins, demo }: IssuerOptions): Promise<string> {
  const key = await openIssuerKey(directory);
  const codes = new AuthorizationCodes();
  /** The sign-ins of browsers, by session. */
  const sessions = new Map<string, { readonly userId: string; readonly authTime: number }>();
  const redirectUris = origins.map((origin) => `${origin}${consoleRoutes.home.path}`);
  // A browser applies form-action to the redirect as well.
  const policy = `default-src 'none'; style-src 'self'; frame-ancestors 'none'; form-action 'self' ${origins.join(' ')}`;
  const page = (body: string, headers: IssuerAnswer['headers'] = {}): IssuerAnswer => ({
    headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
    body,
  });
  const authorize: Route = (query, form) => {
    const asked = readAuthorization(query, redirectUris);
    if (asked === undefined) return { status: 400, body: 'This is no request of the console.' };
    const { back, error, maxAge, prompt, ...request } = asked;
    if (error !== undefined) return goTo(back({ error }));
    const userId = form.get('user') ?? '';
    if (!demo().users.includes(userId)) return goTo(back({ error: 'access_denied' }));
    const signIn = { userId, authTime: secondsNow() };
    const session = randomUUID();
    sessions.set(session, signIn);
    const cookie = { 'Set-Cookie': `${COOKIE}=${session}; ${COOKIE_RULES}` };
    return goTo(back({ code: codes.grant({ ...request, ...signIn }) }), cookie);
  };
  const routes: Readonly<Record<string, Route>> = {
    'GET /.well-known/openid-configuration': () => json(metadataOf(url)),
    'GET /jwks.json': () => json(keySet(key)),
    'GET /style.css': () => ({ headers: { 'Content-Type': 'text/css; charset=utf-8' }, body: pageStyle() }),
    'GET /authorize': (query, form, session) => {
      const asked = readAuthorization(query, redirectUris);
      if (asked === undefined || asked.error !== undefined) return authorize(query, form, session);
      const { back, error, maxAge, prompt, ...request } = asked;
      const known = prompt === 'login' ? undefined : sessions.get(session);
      if (known && secondsNow() - known.authTime <= maxAge && demo().users.includes(known.userId))
        return goTo(back({ code: codes.grant({ ...request, ...known }) }));
      if (prompt === 'none') return goTo(back({ error: 'login_required' }));
      return page(signInPage(demo().users));
    },
    'POST /authorize': authorize,
    'GET /authorize/end': (_query, _form, session) => {
      sessions.delete(session);
      return page(signedOutPage(redirectUris[0] ?? ''), {
        'Set-Cookie': `${COOKIE}=; Max-Age=0; ${COOKIE_RULES}`,
      });
    },
    'POST /token': async (_query, form) => {
      const signIn = codes.redeem(form);
      if (signIn === undefined) return { ...json({ error: 'invalid_grant' }), status: 400 };
      const member = { workspaceId: demo().workspaceId, userId: signIn.userId };
      const token = await issueToken(directory, member, LOCAL_TOKEN_SECONDS, signIn);
      return json({
        access_token: token,
        id_token: token,
        token_type: 'Bearer',
        expires_in: LOCAL_TOKEN_SECONDS,
      });
    },
  };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, headers: sent } = request;
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    // A page of another origin must not reach the issuer under a name of its own (DNS rebinding).
    const route = `http://${sent.host}` === url ? routes[`${method} ${pathname}`] : undefined;
    const [, session = ''] = new RegExp(`\\b${COOKIE}=([^;]+)`).exec(sent.cookie ?? '') ?? [];
    const answer = route && (await answerBy(route, request, searchParams, session));
    const { status = 200, headers, body } = answer ?? { status: 404, headers: CLOSED };
    const origin = origins.find((known) => known === sent.origin);
    if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin);
    response.writeHead(status, { 'Cache-Control': 'no-store', ...headers }).end(body);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(0, '127.0.0.1', resolve).unref();
  await promise;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url;
}

/** The answer of a route, which gets the form of a POST request. */
async function answerBy(
  route: Route,
  request: IncomingMessage,
  query: URLSearchParams,
  session: string,
): Promise<IssuerAnswer> {
  let form = '';
  if (request.method === 'POST') {
    for await (const piece of request.setEncoding('utf8')) {
      form += piece;
      if (form.length > FORM_MAX_LENGTH) return { status: 413, headers: CLOSED };
    }
  }
  return await route(query, new URLSearchParams(form), session);
}

/** OpenID Provider Metadata (OpenID Connect Discovery, section 3). */
function metadataOf(url: string) {
  return {
    issuer: LOCAL_ISSUER,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    end_session_endpoint: `${url}/authorize/end`,
    jwks_uri: issuerAddresses(url).keys,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [LOCAL_ALGORITHM],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

function json(value: object): IssuerAnswer {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

function goTo(location: string, headers: IssuerAnswer['headers'] = {}): IssuerAnswer {
  return { status: 303, headers: { ...headers, Location: location } };
}

const secondsNow = () => Math.floor(Date.now() / 1000);
