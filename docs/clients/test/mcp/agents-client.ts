import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import { SignInClient } from './sign-in-client.ts';

/** A program that signs in at the platform, and opens a browser whose user consents. */
export class AgentsClient extends SignInClient {
  readonly #consent: (start: URL) => Promise<URL>;

  /** @param information of a program with a document: the client takes https alone for one that it finds itself. */
  constructor(consent: (start: URL) => Promise<URL>, information?: StoredOAuthClientInformation) {
    super({}, information);
    this.#consent = consent;
  }

  async redirectToAuthorization(start: URL) {
    this.returned = await this.#consent(start);
  }
}
