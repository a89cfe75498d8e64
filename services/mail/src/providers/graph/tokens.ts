import { hash } from 'node:crypto';
import { thrownType } from '@action-platform/telemetry';
import { type Application, type GraphAccount, openApplication } from './application.ts';
import { unavailable } from './request.ts';

/** The most registered applications whose tokens are kept. */
const APPLICATIONS_MAX = 1000;

/** Access tokens for Microsoft Graph. Mailboxes of one application share its token. */
export class Tokens {
  readonly #applications = new Map<string, Promise<Application>>();
  /** Requests under way, which concurrent calls share: a token endpoint throttles repeated ones. */
  readonly #pending = new Map<string, Promise<string>>();

  /**
   * Returns an access token.
   *
   * @param isFresh requests one, whatever is cached.
   * @throws SignInRefused when the token endpoint refuses the account.
   * @throws MailUnavailable when it has no capacity or cannot be reached.
   */
  async token(account: GraphAccount, isFresh: boolean, signal: AbortSignal): Promise<string> {
    const { login_url, graph_url, tenant, client_id } = account.settings;
    const id = hash(
      'sha256',
      JSON.stringify([login_url, graph_url, tenant, client_id, account.secret]),
      'hex',
    );
    const request = `${id} ${isFresh}`;
    let pending = this.#pending.get(request);
    if (pending === undefined) {
      pending = this.#request(id, account, isFresh).finally(() => this.#pending.delete(request));
      this.#pending.set(request, pending);
    }
    return await unlessAborted(pending, signal);
  }

  async #request(id: string, account: GraphAccount, isFresh: boolean): Promise<string> {
    const { network, acquire } = await this.#application(id, account);
    try {
      return await acquire(isFresh);
    } catch (error) {
      // The library's errors quote the endpoint's texts.
      throw network.failure ?? unavailable(new Error(`no access token: ${thrownType(error)}`));
    }
  }

  async #application(id: string, account: GraphAccount): Promise<Application> {
    const known = this.#applications.get(id);
    if (known !== undefined) return await known;
    const opening = openApplication(account);
    this.#applications.set(id, opening);
    opening.catch(() => this.#applications.delete(id));
    const [oldest] = this.#applications.keys();
    if (this.#applications.size > APPLICATIONS_MAX) this.#applications.delete(oldest!);
    return await opening;
  }
}

/** Resolves with the work, unless the signal aborts first: then it rejects with the reason, and the work goes on. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
