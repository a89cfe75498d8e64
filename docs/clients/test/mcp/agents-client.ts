import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

export const redirectUrl = 'http://127.0.0.1:9/callback';

/** A program's part of sign-in at the platform: it keeps what it receives in memory, and opens a browser whose user consents. */
export class AgentsClient implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = { client_name: 'test', redirect_uris: [redirectUrl] };
  readonly #consent: (asked: URLSearchParams) => Promise<string>;
  #information: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  /** The address to which the browser came back. */
  returned: URL | undefined;

  /** @param information of a program with a document: the client takes https alone for one that it finds itself. */
  constructor(
    consent: (asked: URLSearchParams) => Promise<string>,
    information?: StoredOAuthClientInformation,
  ) {
    this.#consent = consent;
    this.#information = information;
  }

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

  /** Follows the request to the page of consent, and allows what its user allows there. */
  async redirectToAuthorization(start: URL) {
    const response = await fetch(start, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
    this.returned = new URL(await this.#consent(new URL(location, start).searchParams));
  }
}
