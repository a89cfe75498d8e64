import { hash } from 'node:crypto';
import { aborted } from 'node:util';
import { DELEGATED_PREFIX, type mailProviders } from '@action-platform/contracts/calls';
import type { z } from 'zod';
import { type Account, MailUnavailable, SignInRefused } from '../provider.ts';
import { isOk, jsonOf, request, retryAfterOf, unavailable } from './request.ts';

/** The settings of a mailbox of Microsoft 365. */
export type GraphSettings = z.output<typeof mailProviders.graph.settings>;

/** A mailbox of Microsoft 365. */
export type GraphAccount = Account<GraphSettings>;

/** How long the token endpoint may take for an answer, in milliseconds. */
const ANSWER_MS = 5_000;
/** How long before its end an access token is renewed, in milliseconds. */
const RENEWED_BEFORE_MS = 300_000;
/** The most tokens that are kept. */
const KEPT_MAX = 1000;

interface Token {
  readonly access: string;
  /** In milliseconds since 1970. */
  readonly renewedAt: number;
  /** Of a person: the refresh token, and the one before, which it replaces. */
  readonly refresh: string;
  readonly formerRefresh: string;
}

/** An answer of the token endpoint (RFC 6749, sections 5.1 and 5.2), and Microsoft's numbers of an error. */
interface TokenAnswer {
  readonly access_token?: unknown;
  readonly expires_in?: unknown;
  readonly refresh_token?: unknown;
  readonly error?: unknown;
  readonly error_codes?: unknown;
}

/** Access tokens for Microsoft Graph. Mailboxes of one registered application, or of one person's sign-in, share a token. */
export class Tokens {
  readonly #kept = new Map<string, Token>();
  /** Requests under way, which concurrent calls share: a token endpoint throttles repeated ones. */
  readonly #pending = new Map<string, Promise<Token>>();

  /**
   * Returns an access token.
   *
   * @param isFresh requests one, whatever is kept.
   * @throws SignInRefused when the token endpoint refuses the account.
   * @throws MailUnavailable when it has no capacity, cannot be reached, or does not answer in time.
   */
  async token(account: GraphAccount, isFresh: boolean, signal: AbortSignal): Promise<string> {
    const { login_url, graph_url, tenant, client_id } = account.settings;
    const secret = isDelegated(account) ? (account.secretId ?? account.secret) : account.secret;
    const identity = JSON.stringify([login_url, graph_url, tenant, client_id, secret]);
    const id = hash('sha256', identity, 'hex');
    const kept = this.#kept.get(id);
    if (kept !== undefined && !isFresh && Date.now() < kept.renewedAt) return kept.access;
    let pending = this.#pending.get(id);
    if (pending === undefined) {
      pending = this.#renew(id, account).finally(() => this.#pending.delete(id));
      this.#pending.set(id, pending);
    }
    // The request goes on for the others when the signal of one call aborts, which has done nothing yet.
    const left = aborted(signal, pending).then(() => Promise.reject(unavailable(signal.reason)));
    return (await Promise.race([pending, left])).access;
  }

  async #renew(id: string, account: GraphAccount): Promise<Token> {
    const token = await requestToken(account, this.#kept.get(id));
    this.#kept.delete(id);
    this.#kept.set(id, token);
    if (isDelegated(account) && token.refresh !== token.formerRefresh) {
      await account.replaceSecret?.(DELEGATED_PREFIX + token.refresh);
    }
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_MAX) this.#kept.delete(oldest!);
    return token;
  }
}

/**
 * Requests a token for a registered application ("OAuth 2.0 client credentials flow"), or for a person who signed in to one
 * ("Refresh the access token"), with the permissions that it or the person has been given.
 *
 * @param known the token before, whose refresh token may have replaced that of the account since the account was read.
 */
async function requestToken(account: GraphAccount, known: Token | undefined): Promise<Token> {
  const { settings, secret = '' } = account;
  const { login_url, tenant, client_id, graph_url } = settings;
  const scope = new URL('/.default', graph_url).href;
  const stored = secret.slice(DELEGATED_PREFIX.length);
  const refresh_token = known?.formerRefresh === stored ? known.refresh : stored;
  const grant = isDelegated(account)
    ? { grant_type: 'refresh_token', refresh_token, scope: `${scope} openid profile offline_access` }
    : { grant_type: 'client_credentials', client_secret: secret, scope };
  const body = String(new URLSearchParams({ client_id, ...grant }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  try {
    const url = new URL(`${encodeURIComponent(tenant)}/oauth2/v2.0/token`, login_url);
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await request(url, { method: 'POST', headers, body, signal });
    if (response.status === 429 || response.status >= 500) throw new MailUnavailable(retryAfterOf(response));
    const answer = jsonOf(response) as TokenAnswer;
    if (!isOk(response)) throw entraRefusal(answer);
    const { access_token: access, expires_in, refresh_token: next } = answer;
    if (typeof access !== 'string') throw new Error(`${url.host} answered without an access token.`);
    const renewedAt = Date.now() + Number(expires_in) * 1000 - RENEWED_BEFORE_MS;
    const refresh = typeof next === 'string' ? next : refresh_token;
    return { access, renewedAt, refresh, formerRefresh: stored };
  } catch (error) {
    const isKnown = error instanceof MailUnavailable || error instanceof SignInRefused;
    throw isKnown ? error : unavailable(error as Error);
  }
}

/** Whether a person signed in, instead of an application. */
function isDelegated({ secret = '' }: GraphAccount): boolean {
  return secret.startsWith(DELEGATED_PREFIX);
}

/** A refusal without the endpoint's texts, which may quote a name. */
export function entraRefusal({ error, error_codes: numbers }: TokenAnswer): SignInRefused {
  const code = typeof error === 'string' && /^\w{1,50}$/.test(error) ? error : 'no code';
  const number = Array.isArray(numbers) && Number.isInteger(numbers[0]) ? `, AADSTS${numbers[0]}` : '';
  return new SignInRefused(`Microsoft Entra ID refuses the sign-in (${code}${number}).`);
}
