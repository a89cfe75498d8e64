import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import { SignInClient } from './sign-in-client.ts';

/** A program that signs in at the platform: it opens a browser whose user consents. */
export class AgentsClient extends SignInClient {
  readonly #consent: (asked: URLSearchParams) => Promise<string>;

  /** @param information of a program with a document: the client takes https alone for one that it finds itself. */
  constructor(
    consent: (asked: URLSearchParams) => Promise<string>,
    information?: StoredOAuthClientInformation,
  ) {
    super({}, information);
    this.#consent = consent;
  }

  /** Follows the request to the page of consent, and allows what its user allows there. */
  async redirectToAuthorization(start: URL) {
    const response = await fetch(start, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
    this.returned = new URL(await this.#consent(new URL(location, start).searchParams));
  }
}
