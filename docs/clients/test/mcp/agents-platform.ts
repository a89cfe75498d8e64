import assert from 'node:assert/strict';
import { LocalPlatform } from '../../../../e2e/src/local-platform.ts';
import { CompanyProvider } from './company-provider.ts';

/** The operations to which the Member of `AgentsPlatform` consents. */
export const READS = ['procedures.list_drafts', 'record_store.get_usage'];

/** A platform at which agents sign in, with a Member of its demo, who signs in at the company's provider. */
export class AgentsPlatform {
  readonly #platform = new LocalPlatform();
  /** The address of the platform. */
  url = '';
  company!: CompanyProvider;

  async start(): Promise<void> {
    this.url = `http://127.0.0.1:${await this.#platform.port()}`;
    this.company = await CompanyProvider.start(this.url, () => this.#platform.demo.workspace_id);
    Object.assign(this.#platform.environment, this.company.environment);
    await this.#platform.start();
  }

  async remove(): Promise<void> {
    await this.#platform.remove();
    this.company?.stop();
  }

  /** The Member's browser follows a request to the page of consent, where the Member allows reads. @returns where it is sent back */
  readonly consent = async (start: URL): Promise<URL> => {
    const response = await fetch(start, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
    const { searchParams: asked } = new URL(location, start);
    return asked.has('error') ? new URL(location) : await this.#allow(asked);
  };

  /** Sends what the page of consent sends. */
  async #allow(asked: URLSearchParams): Promise<URL> {
    const response = await fetch(`${this.url}/api/v1/agent-authorizations`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await this.company.signIn()}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        clientId: asked.get('client_id'),
        redirectUri: asked.get('redirect_uri'),
        codeChallenge: asked.get('code_challenge'),
        resource: asked.get('resource'),
        state: asked.get('state') ?? undefined,
        operations: READS,
        name: 'Two reads',
      }),
    });
    const body = (await response.json()) as { redirectTo: string };
    assert.equal(response.status, 201, JSON.stringify(body));
    return new URL(body.redirectTo);
  }
}
