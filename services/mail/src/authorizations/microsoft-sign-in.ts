import { DELEGATED_PREFIX, mailProviders, type Timed } from '@action-platform/contracts/calls';
import { type ownVariables, WrongConfiguration } from '@action-platform/contracts/configuration';
import { invalidRequest } from '@action-platform/contracts/errors';
import { emailAddress } from '@action-platform/contracts/schema';
import * as oauth from 'oauth4webapi';
import type { z } from 'zod';
import type { MailboxToConnect } from '../accounts/connect.ts';
import { requestWhole } from '../providers/graph/request.ts';
import { entraRefusal, type GraphSettings } from '../providers/graph/tokens.ts';
import { MailUnavailable } from '../providers/provider.ts';

/** The path of the console at which a person comes back from Microsoft. */
const RETURN_PATH = '/console/connected';
/** How long Microsoft may take to redeem a code, in milliseconds. */
const ANSWER_MS = 5_000;

/** The secrets that complete a sign-in that has begun. */
export interface BegunSignIn {
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
  readonly state: string;
  /** The address of the mailbox, if the Member named one. */
  readonly email?: string;
}

/**
 * The sign-in of people at Microsoft Entra ID ("Microsoft identity platform and OAuth 2.0 authorization code flow"): with PKCE (RFC 7636),
 * and as a public client, which has no secret.
 */
export class MicrosoftSignIn {
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;
  readonly #settings: GraphSettings;
  readonly #redirectUri: string;

  constructor(settings: GraphSettings, publicUrl: string) {
    const { login_url, tenant, client_id } = settings;
    const at = (path: string) => new URL(`${tenant}/${path}`, login_url).href;
    this.#server = {
      issuer: at('v2.0'),
      authorization_endpoint: at('oauth2/v2.0/authorize'),
      token_endpoint: at('oauth2/v2.0/token'),
    };
    this.#client = { client_id };
    this.#settings = settings;
    this.#redirectUri = `${publicUrl}${RETURN_PATH}`;
  }

  /** The URL at which a person signs in, and the verifier that redeems the code. @param email pre-fills the page */
  async begin(state: string, email: string | undefined): Promise<{ url: string; verifier: string }> {
    const verifier = oauth.generateRandomCodeVerifier();
    const parameters = {
      client_id: this.#client.client_id,
      response_type: 'code',
      redirect_uri: this.#redirectUri,
      response_mode: 'query',
      scope: `${new URL('/Mail.ReadWrite', this.#settings.graph_url).href} openid profile offline_access`,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Microsoft asks for the account: the Member may mean another one than the browser is signed in with.
      prompt: 'select_account',
      ...(email !== undefined && { login_hint: email }),
    };
    const url = `${this.#server.authorization_endpoint}?${new URLSearchParams(parameters)}`;
    return { url, verifier };
  }

  /** Redeems a code for the mailbox of the person. @throws ActionError `invalid_request` */
  async complete(
    code: string,
    { verifier, state, email }: BegunSignIn,
    timed: Timed,
  ): Promise<MailboxToConnect> {
    const [server, client] = [this.#server, this.#client];
    const leftMs = Math.max(0, Math.floor(timed.deadline - performance.now()));
    const options = {
      signal: AbortSignal.timeout(Math.min(ANSWER_MS, leftMs)),
      [oauth.customFetch]: requestWhole,
    };
    try {
      const parameters = oauth.validateAuthResponse(
        server,
        client,
        new URLSearchParams({ code, state }),
        state,
      );
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        this.#redirectUri,
        verifier,
        options,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
        requireIdToken: true,
      });
      const { preferred_username } = oauth.getValidatedIdTokenClaims(tokens)!;
      const address = emailAddress.safeParse(email ?? preferred_username);
      if (!address.success)
        throw invalidRequest('email: name the address of the mailbox, and sign in again.');
      if (tokens.refresh_token === undefined)
        throw invalidRequest('Microsoft Entra ID gave no refresh token.');
      const secret = `${DELEGATED_PREFIX}${tokens.refresh_token}`;
      return { email: address.data, provider: 'graph', settings: this.#settings, secret };
    } catch (error) {
      throw refusalOf(error);
    }
  }
}

/** The refusal without the texts of the endpoint, which may quote a name. */
function refusalOf(error: unknown): unknown {
  if (error instanceof oauth.ResponseBodyError) return invalidRequest(entraRefusal(error.cause).message);
  const isIncomplete =
    error instanceof MailUnavailable ||
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.WWWAuthenticateChallengeError ||
    ['TimeoutError', 'AbortError'].includes((error as Error).name);
  return isIncomplete
    ? invalidRequest('Microsoft Entra ID did not complete the sign-in; begin another one.')
    : error;
}

/**
 * The sign-in that a deployment has set up; undefined without an application.
 *
 * @throws WrongConfiguration when a variable is missing.
 */
export function microsoftSignIn(variables: z.output<typeof ownVariables.mail>): MicrosoftSignIn | undefined {
  const { MAIL_GRAPH_TENANT: tenant, MAIL_GRAPH_CLIENT_ID: client_id, PUBLIC_URL } = variables;
  if (tenant === undefined && client_id === undefined) return undefined;
  if (tenant === undefined || client_id === undefined || PUBLIC_URL === undefined) {
    throw new WrongConfiguration([
      'MAIL_GRAPH_TENANT, MAIL_GRAPH_CLIENT_ID: each needs the other one, and PUBLIC_URL',
    ]);
  }
  const { MAIL_GRAPH_LOGIN_URL: login_url, MAIL_GRAPH_URL: graph_url } = variables;
  // Entra ID writes the id in lower case into the issuer of its tokens.
  const given = { tenant: tenant.toLowerCase(), client_id, login_url, graph_url };
  const settings = mailProviders.graph.settings.parse(given);
  return new MicrosoftSignIn(settings, PUBLIC_URL);
}
