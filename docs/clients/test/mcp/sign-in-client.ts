import assert from 'node:assert/strict';
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

export const redirectUrl = 'http://127.0.0.1:9/callback';

/** The options of the official client in each era of the protocol. */
export const eras = {
  'the handshake of 2025': {},
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
};

/** A program's part of sign-in, which keeps what it receives in memory. */
export abstract class SignInClient implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata: OAuthClientMetadata;
  #information: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  /** The address to which the browser came back. */
  returned: URL | undefined;

  /** @param information of a program that does not register. */
  constructor(metadata: Partial<OAuthClientMetadata> = {}, information?: StoredOAuthClientInformation) {
    this.clientMetadata = { client_name: 'test', redirect_uris: [redirectUrl], ...metadata };
    this.#information = information;
  }

  abstract redirectToAuthorization(start: URL): Promise<void>;

  clientInformation() {
    return this.#information;
  }
  saveClientInformation(information: StoredOAuthClientInformation) {
    this.#information = information;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
}

/** Has the official client sign in at the platform at an address; resolves with the connected client. */
export async function signIn(
  baseUrl: string,
  options: (typeof eras)[keyof typeof eras],
  authProvider: SignInClient,
): Promise<Client> {
  const transport = () => new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { authProvider });
  const client = () => new Client({ name: 'test', version: '1' }, options);
  const first = transport();
  await assert.rejects(client().connect(first), UnauthorizedError);
  await first.finishAuth(authProvider.returned!.searchParams);
  const signedIn = client();
  await signedIn.connect(transport());
  return signedIn;
}
