import type { INetworkModule, NetworkRequestOptions, NetworkResponse } from '@azure/msal-node';
import { MailUnavailable, SignInRefused } from '../provider.ts';
import { jsonOf, request, retryAfterOf, unavailable } from './request.ts';

/** How long the token endpoint may take for an answer, in milliseconds. */
const ANSWER_MS = 5_000;

/** The requests of the library for tokens. Its own have no time limit, and it drops the reason of a failure. */
export class LoginNetwork implements INetworkModule {
  /** The failure of the last request, if it failed, without the endpoint's texts, which may quote a name. */
  failure: MailUnavailable | SignInRefused | undefined;

  async sendGetRequestAsync<Body>(
    url: string,
    options?: NetworkRequestOptions,
  ): Promise<NetworkResponse<Body>> {
    return await this.#send(url, { headers: options?.headers ?? {} });
  }

  async sendPostRequestAsync<Body>(
    url: string,
    options?: NetworkRequestOptions,
  ): Promise<NetworkResponse<Body>> {
    return await this.#send(url, {
      method: 'POST',
      headers: options?.headers ?? {},
      body: options?.body ?? '',
    });
  }

  async #send<Body>(url: string, init: RequestInit): Promise<NetworkResponse<Body>> {
    this.failure = undefined;
    try {
      const response = await request(new URL(url), { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
      const { status, headers } = response;
      if (status === 429 || status >= 500) {
        await response.body?.cancel();
        throw new MailUnavailable(retryAfterOf(response));
      }
      const body = (await jsonOf(response)) as Body;
      if (!response.ok) throw refusal(body as TokenError);
      return { status, headers: Object.fromEntries(headers), body };
    } catch (error) {
      const isKnown = error instanceof MailUnavailable || error instanceof SignInRefused;
      this.failure = isKnown ? error : unavailable(error as Error);
      throw error;
    }
  }
}

/** An error of the token endpoint: the code of OAuth (RFC 6749, section 5.2), and Microsoft's numbers. */
interface TokenError {
  readonly error?: unknown;
  readonly error_codes?: unknown;
}

function refusal({ error, error_codes: numbers }: TokenError): SignInRefused {
  const code = typeof error === 'string' && /^\w{1,50}$/.test(error) ? error : 'no code';
  const number = Array.isArray(numbers) && Number.isInteger(numbers[0]) ? `, AADSTS${numbers[0]}` : '';
  return new SignInRefused(`Microsoft Entra ID refuses the sign-in (${code}${number}).`);
}
