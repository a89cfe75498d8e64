import { freePort } from '@action-platform/local-servers';
import { serviceDefinition } from '@action-platform/testing';
import { pkce, postForm, REDIRECT_URI, registerAgent } from '@action-platform/testing/agents';
import { afterAll, beforeAll } from '@jest/globals';
import { GatewayHarness, type TestWorkspace } from './harness.ts';

const CLIENT = 'console';

/** The parameters of a consent. */
export interface Consent {
  clientId: string;
  redirectUri?: string;
  codeChallenge: string;
  resource?: string;
  operations: string[];
  [field: string]: unknown;
}

/** Gateways and services at which agents sign in, and the steps of a program and of its Member. */
export class Agents {
  readonly harness = new GatewayHarness();
  workspace!: TestWorkspace;
  publicUrl = '';
  /** The gateways, of which tests use any. */
  urls: string[] = [];

  async start(environment: Readonly<Record<string, string>> = {}, gateways = 1): Promise<void> {
    const PORT = String(await freePort());
    this.publicUrl = `http://127.0.0.1:${PORT}`;
    const shared = { PUBLIC_URL: this.publicUrl, AGENT_SIGN_IN: 'true', ...environment };
    const own = { ...shared, CONSOLE_CLIENT_ID: CLIENT, CONSOLE_METADATA_URL: 'http://127.0.0.1:9/metadata' };
    await this.harness.start({ ...own, PORT });
    this.urls = [this.harness.url];
    for (let more = 1; more < gateways; more++) {
      await this.harness.startAnother(own);
      this.urls.push(this.harness.url);
    }
    const { platform } = this.harness;
    const local = { CUSTOM_OPERATION_HTTP_TO_LOOPBACK: 'true' };
    await platform.startService(await serviceDefinition('grants'), { ...shared, ...local });
    await platform.startService(await serviceDefinition('record-store'));
    this.workspace = await this.harness.newWorkspace();
  }

  get http() {
    return this.harness.http;
  }

  /** A token of the console for a Member who has just signed in. */
  async fresh(userId = this.workspace.member.userId): Promise<string> {
    const auth_time = Math.floor(Date.now() / 1000) - 5;
    return await this.harness.issuer.token(
      { workspaceId: this.workspace.id, userId },
      { aud: CLIENT, auth_time },
    );
  }

  async register(metadata: object = {}): Promise<string> {
    return await registerAgent(this.urls[0]!, metadata);
  }

  /** A Member's consent. */
  async consent(
    { redirectUri = REDIRECT_URI, resource = `${this.publicUrl}/mcp`, ...asked }: Consent,
    token?: string,
  ) {
    return await this.http
      .post('/api/v1/agent-authorizations')
      .auth(token ?? (await this.fresh()), { type: 'bearer' })
      .send({ redirectUri, resource, ...asked });
  }

  /** A call of the token endpoint, at any gateway. */
  async token(form: Readonly<Record<string, string>>, url = this.urls[0]!) {
    const { json, ...answer } = await postForm(url, 'token', form);
    return { ...answer, body: json as Tokens };
  }

  /** A program that a Member has connected: its grant, its code, and what it exchanges the code with. */
  async connected(asked: Partial<Consent> = {}, token?: string) {
    const { verifier, challenge } = pkce();
    const clientId = asked.clientId ?? (await this.register());
    const { status, body } = await this.consent(
      { codeChallenge: challenge, operations: ['record_store.get_usage'], ...asked, clientId },
      token,
    );
    if (status !== 201) throw new Error(JSON.stringify(body));
    const code = new URL(body.redirectTo).searchParams.get('code')!;
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id: clientId };
    return { grant: body.grant, redirectTo: body.redirectTo as string, form, clientId };
  }

  /** A connected program with its first tokens. */
  async signedIn(asked: Partial<Consent> = {}, token?: string) {
    const { form, grant, clientId } = await this.connected(asked, token);
    const { body } = await this.token(form);
    const refresh = (refresh_token: string, url?: string) =>
      this.token({ grant_type: 'refresh_token', refresh_token, client_id: clientId }, url);
    return { grant, clientId, tokens: body, refresh };
  }

  /** The outcome of a call with an access token: `ok` or the code of the refusal. */
  async outcome(token: string, operation = 'record_store.get_usage', body: object = {}): Promise<string> {
    const { body: answer } = await this.harness.execute(token, { id: operation }, body);
    return answer.error?.code ?? 'ok';
  }
}

interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  token_type: string;
  scope: string;
  error?: string;
  error_description?: string;
}

/** Agents sign in before the tests of a file. */
export function signInOfAgents(environment: Readonly<Record<string, string>> = {}, gateways = 1): Agents {
  const agents = new Agents();
  beforeAll(() => agents.start(environment, gateways));
  afterAll(() => agents.harness.stop());
  return agents;
}
