import assert from 'node:assert/strict';
import { mcpAddress } from '@action-platform/contracts/configuration';
import { pkce, postForm, registerAgent } from '@action-platform/testing/agents';
import { type Answer, Caller, execute, type Json, send } from '@action-platform/testing/http';
import type { Person } from '../../harness/workload/fixture.ts';
import type { SharedStack } from '../../shared-stack.ts';
import { type Choice, type OAuthStep, oauthSteps, PROGRAMS } from './steps.ts';

const OPERATION = 'record_store.list_collections';
const CONSENT = '/api/v1/agent-authorizations';
/** Shorter than the moment in which a used refresh token gives another pair, in milliseconds. */
const REUSE_MS = 25_000;

/** A person of a Workspace with the Collection that they may allow. */
interface Consenter extends Person {
  readonly workspace: string;
  readonly fresh: string;
  readonly collection: string;
}

/** A grant, as the answers so far tell of it. */
interface Allowed {
  readonly id: string;
  readonly person: Consenter;
  readonly client: string;
  readonly code: string;
  readonly verifier: string;
  readonly redirect: string;
  readonly begunAt: number;
  /** Whether the code was shown, and the grant ended. */
  isSpent: boolean;
  hasEnded: boolean;
}

interface Issued {
  readonly secret: string;
  readonly grant: Allowed;
}

/** Two Workspaces and their people, the same for each sign-in of a run. */
async function makePeople(stack: SharedStack): Promise<Omit<Consenter, 'fresh'>[]> {
  const people: Omit<Consenter, 'fresh'>[] = [];
  for (const _ of [1, 2]) {
    const { workspace_id: workspace, owner, member } = await stack.workspace();
    const caller = new Caller(stack.gateways[0]!, owner.token);
    const { collection } = await caller.execute('record_store.create_collection', { name: 'own' });
    for (const { user_id: user, token } of [owner, member])
      people.push({ workspace, user, token, collection: collection.id });
  }
  return people;
}

/**
 * Sign-ins of three programs with four people of two Workspaces.
 *
 * @returns them, and their check, which throws an AssertionError when a program gets a token that its person did not allow, a browser an
 * address that no program registered, or anybody a failure
 */
export async function signIns(stack: SharedStack, mark: string) {
  const people = await makePeople(stack);
  const programs = await Promise.all(
    Array.from({ length: PROGRAMS }, async (_, number) => {
      const redirect = `https://program-${number}.example.com/callback`;
      const metadata = { client_name: `${mark} ${number}`, redirect_uris: [redirect] };
      return { client: await registerAgent(stack.gateways[0]!, metadata), redirect };
    }),
  );
  const check = async (steps: readonly OAuthStep[]) => {
    const fresh = await Promise.all(
      people.map(async (person) => {
        const token = await stack.operator.freshToken(person.workspace, person.user);
        return { ...person, fresh: token };
      }),
    );
    const signIn = new SignIn(stack, mark, programs, fresh);
    try {
      await signIn.begin();
      for (const step of steps) await signIn.take(step);
    } finally {
      await signIn.end();
    }
  };
  return { arbitrary: oauthSteps, check };
}

type Of<Kind extends OAuthStep['is']> = Extract<OAuthStep, { is: Kind }>['of'];

/** One sign-in of a run, with what its answers told so far. */
class SignIn {
  readonly #gateways: readonly string[];
  readonly #mark: string;
  readonly #programs: readonly { readonly client: string; readonly redirect: string }[];
  readonly #people: readonly Consenter[];
  readonly #grants: Allowed[] = [];
  readonly #access: Issued[] = [];
  readonly #refresh: Issued[] = [];
  #requests = 0;

  readonly #steps: { readonly [Kind in OAuthStep['is']]: (of: Of<Kind>) => Promise<unknown> } = {
    authorize: (of) => this.#authorize(of),
    consent: (of) => this.#consent(of),
    page: async (of) => {
      const query = queryOf({ client_id: this.#clientOf(of), redirect_uri: this.#redirectOf(of) });
      const { token } = this.#people[of.person]!;
      await this.#send({ method: 'GET', path: `${CONSENT}?${query}`, token });
    },
    exchange: async ({ code, shown, ...of }) => {
      const grant = at(this.#grants, code)!;
      const verifier = this.#chosen(of.verifier, grant.verifier, ({ verifier }) => verifier);
      const client_id = this.#chosen(of.client, grant.client, ({ client }) => client);
      const redirect_uri = this.#chosen(of.redirect, grant.redirect, ({ redirect }) => redirect);
      const { resource } = of;
      await this.#exchange(grant, {
        code: shown,
        code_verifier: verifier,
        client_id,
        redirect_uri,
        resource,
      });
    },
    refresh: (of) => this.#refreshed(of),
    revoke: async ({ token, what, client, shown }) => {
      const issued = at(what === 'access' ? this.#access : this.#refresh, token)!;
      const client_id = this.#chosen(client, issued.grant.client, (grant) => grant.client);
      const { status } = await this.#post('revoke', { token: shown ?? issued.secret, client_id });
      if (status === 200 && shown === undefined && client_id === issued.grant.client)
        issued.grant.hasEnded = true;
    },
    call: ({ access }) => this.#call(at(this.#access, access)!),
    raw: async ({ method, path, query, type, body }) => {
      const isRead = method === 'GET';
      const headers = { 'content-type': type };
      const sent = { method, path: `${path}?${query}`, headers, ...(!isRead && { body }) };
      const { headers: answered, text } = await this.#send(sent);
      const leads = String(answered.location ?? '');
      assert(!/^https?:/.test(leads), `a request without a program leads to ${leads}`);
      assert(!text.includes('apt_'), 'a request of nobody has a token');
    },
  };

  constructor(
    stack: SharedStack,
    mark: string,
    programs: readonly { readonly client: string; readonly redirect: string }[],
    people: readonly Consenter[],
  ) {
    this.#gateways = stack.gateways;
    this.#mark = mark;
    this.#programs = programs;
    this.#people = people;
  }

  /** One whole sign-in of a person of each Workspace, which must give tokens. */
  async begin(): Promise<void> {
    for (const person of [this.#people[1]!, this.#people[2]!]) {
      const [program] = this.#programs;
      const asked = { clientId: program!.client, redirectUri: program!.redirect, state: this.#mark };
      const grant = await this.#allow(person, asked, person.fresh);
      assert(grant !== undefined, 'a consent was refused');
      const { verifier: code_verifier, client: client_id } = grant;
      assert(await this.#exchange(grant, { code_verifier, client_id }), 'a code gave no token');
    }
  }

  async take({ is, of }: OAuthStep): Promise<void> {
    await this.#steps[is](of as never);
  }

  /** Ends every grant, so that there is room for others. */
  async end(): Promise<void> {
    for (const { id, person } of this.#grants)
      await new Caller(this.#url, person.token).request('DELETE', `/api/v1/agent-grants/${id}`);
  }

  async #authorize({ type, challenge, method, resource, state, scope, ...of }: Of<'authorize'>) {
    const [client_id, redirect_uri] = [this.#clientOf(of), this.#redirectOf(of)];
    const pkceOf = { code_challenge: challenge, code_challenge_method: method };
    const query = queryOf({
      response_type: type,
      client_id,
      redirect_uri,
      ...pkceOf,
      resource,
      state,
      scope,
    });
    const { status, headers } = await this.#send({ method: 'GET', path: `/oauth/authorize?${query}` });
    const leads = String(headers.location ?? '');
    const program = this.#programs.find(({ client }) => client === client_id);
    if (program === undefined || program.redirect !== redirect_uri)
      return assert.deepEqual([status, leads], [400, ''], 'a browser is sent to an unknown address');
    assert.equal(status, 302);
    const isKnown = leads.startsWith('/console/connect?') || leads.startsWith(`${program.redirect}?error=`);
    assert(isKnown, `a browser is sent to ${leads}`);
  }

  async #consent({ person, by, data, resource, state, ...of }: Of<'consent'>) {
    const who = this.#people[person]!;
    const other = this.#people[(person + 2) % this.#people.length]!;
    const tokens = {
      fresh: who.fresh,
      session: who.token,
      access: at(this.#access, 0)!.secret,
      nobody: undefined,
    };
    const asked = {
      ...{ clientId: this.#clientOf(of), redirectUri: this.#redirectOf(of), state },
      ...(resource !== undefined && { resource }),
      ...(data === 'other' && { data: { collectionIds: [other.collection] } }),
    };
    const grant = await this.#allow(who, asked, tokens[by]);
    if (grant === undefined) return;
    assert.deepEqual([by, data], ['fresh', 'own'], 'a consent of nobody who may give it');
    const program = this.#programs.find(({ client }) => client === asked.clientId);
    assert.equal(asked.redirectUri, program?.redirect, 'a consent for an unknown address');
  }

  /** Has a person allow a program what is asked; undefined when it is refused. */
  async #allow(person: Consenter, asked: object, token: string | undefined): Promise<Allowed | undefined> {
    const { verifier, challenge } = pkce();
    const common = {
      codeChallenge: challenge,
      resource: mcpAddress(this.#gateways[0]!),
      operations: [OPERATION],
    };
    const body = { ...common, data: { collectionIds: [person.collection] }, ...asked } as Json;
    const { status, json } = await this.#send({ method: 'POST', path: CONSENT, token, body });
    if (status !== 201) return undefined;
    const { redirectTo, grant } = json;
    const { workspaceId, userId } = grant;
    assert.deepEqual([workspaceId, userId], [person.workspace, person.user], 'a grant of somebody else');
    assert(redirectTo.startsWith(`${body.redirectUri}?code=`), `a consent leads to ${redirectTo}`);
    const answered = new URL(redirectTo).searchParams;
    assert.equal(answered.get('state') ?? undefined, body.state, 'another state');
    const allowed = { id: grant.id, person, client: body.clientId, verifier, redirect: body.redirectUri };
    const made = {
      ...allowed,
      code: answered.get('code')!,
      isSpent: false,
      hasEnded: false,
      begunAt: performance.now(),
    };
    this.#grants.push(made);
    return made;
  }

  /** Shows a code. @returns whether it gave tokens */
  async #exchange(grant: Allowed, form: Readonly<Record<string, string | undefined>>): Promise<boolean> {
    const { code = grant.code, code_verifier, client_id, redirect_uri = grant.redirect } = form;
    const answer = await this.#post('token', { grant_type: 'authorization_code', ...form, code });
    if (answer.status !== 200) {
      const isShown = code === grant.code && answer.json.error === 'invalid_grant';
      grant.hasEnded ||= isShown && grant.isSpent;
      grant.isSpent ||= isShown;
      return false;
    }
    const { verifier, client, redirect } = grant;
    assert.deepEqual(
      { code, code_verifier, client_id, redirect_uri, isSpent: grant.isSpent, hasEnded: grant.hasEnded },
      {
        code: grant.code,
        code_verifier: verifier,
        client_id: client,
        redirect_uri: redirect,
        isSpent: false,
        hasEnded: false,
      },
      'tokens for a form that does not belong together',
    );
    grant.isSpent = true;
    await this.#issued(grant, answer.json);
    return true;
  }

  async #refreshed({ refresh, client, shown, resource }: Of<'refresh'>): Promise<void> {
    const { grant, secret } = at(this.#refresh, refresh)!;
    const client_id = this.#chosen(client, grant.client, (other) => other.client);
    const form = { grant_type: 'refresh_token', refresh_token: shown ?? secret, client_id, resource };
    const { status, json } = await this.#post('token', form);
    if (status !== 200) return;
    const found = { shown, client_id, hasEnded: grant.hasEnded };
    const known = { shown: undefined, client_id: grant.client, hasEnded: false };
    assert.deepEqual(found, known, 'tokens for a form that does not belong together');
    await this.#issued(grant, json);
  }

  /** Notes tokens, which reach the data of the person who allowed it. */
  async #issued(grant: Allowed, { access_token, refresh_token }: Json): Promise<void> {
    const issued = { secret: access_token, grant };
    this.#access.push(issued);
    this.#refresh.push({ secret: refresh_token, grant });
    assert.equal(await this.#call(issued), 'ok', 'a fresh token that does not count');
  }

  async #call({ secret, grant: { person, hasEnded, begunAt } }: Issued): Promise<string> {
    const { code, json } = requireHealthy(await execute(this.#url, secret, OPERATION, {}));
    // A refresh token that a slow machine shows again much later has ended it.
    const isOld = performance.now() - begunAt > REUSE_MS;
    assert(code === (hasEnded ? 'grant_revoked' : 'ok') || (isOld && code === 'grant_revoked'), code);
    if (code === 'ok')
      assert.deepEqual(
        json.result.collections.map(({ id }: { id: string }) => id),
        [person.collection],
        'data of another Workspace',
      );
    return code;
  }

  get #url(): string {
    return this.#gateways[this.#requests++ % this.#gateways.length]!;
  }

  async #send(request: Parameters<typeof send>[1]): Promise<Answer> {
    return requireHealthy(await send(this.#url, request));
  }

  async #post(endpoint: 'token' | 'revoke', form: Readonly<Record<string, string | undefined>>) {
    const given = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return requireHealthy(await postForm(this.#url, endpoint, Object.fromEntries(given)));
  }

  #clientOf({ program, client }: { readonly program: number; readonly client: Choice }) {
    return this.#ofProgram(client, program, 'client');
  }

  #redirectOf(of: { readonly program: number; readonly redirect: Choice; altered: (uri: string) => string }) {
    const uri = this.#ofProgram(of.redirect, of.program, 'redirect');
    return uri === undefined ? undefined : of.altered(uri);
  }

  #ofProgram(choice: Choice, program: number, what: 'client' | 'redirect'): string | undefined {
    const place = choice === -1 ? program : choice;
    return typeof place === 'number' ? at(this.#programs, place)![what] : place;
  }

  /** The value of a choice: the own one, or that of another grant. */
  #chosen(choice: Choice, own: string, ofGrant: (grant: Allowed) => string): string | undefined {
    if (typeof choice !== 'number') return choice;
    return choice === -1 ? own : ofGrant(at(this.#grants, choice)!);
  }
}

const at = <One>(all: readonly One[], place: number) => all[place % all.length];

function queryOf(parameters: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new URLSearchParams(given);
}

/** @throws AssertionError when a healthy platform fails */
function requireHealthy<Found extends Pick<Answer, 'status'>>(answer: Found): Found {
  assert(answer.status < 500, `a healthy platform answers ${answer.status}`);
  return answer;
}
