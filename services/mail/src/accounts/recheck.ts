import { inBackground } from '@action-platform/contracts';
import type { MailProviders } from '../providers/provider.ts';
import type { Accounts } from './accounts.ts';

/** The least time between two sign-ins to a refused account, in milliseconds: some servers lock one after many refusals. */
const PAUSE_MS = 60_000;
/** How long a sign-in may take, in milliseconds. */
const SIGN_IN_MS = 10_000;

/** Signs in to refused accounts again, while somebody asks for their mailboxes. No call waits for it. */
export class Recheck {
  readonly #accounts: Accounts;
  readonly #providers: MailProviders;

  constructor(accounts: Accounts, providers: MailProviders) {
    this.#accounts = accounts;
    this.#providers = providers;
  }

  /** Begins a sign-in, unless this or another replica began one within the last minute. */
  begin(workspaceId: string, accountId: string): void {
    // A refused sign-in leaves the account refused, and so does a database that does not answer.
    this.#signIn(workspaceId, accountId).catch(() => {});
  }

  async #signIn(workspaceId: string, accountId: string): Promise<void> {
    const reference = { workspaceId, accountId };
    if (!(await this.#accounts.claimRecheck(reference, PAUSE_MS, inBackground))) return;
    const account = await this.#accounts.find(workspaceId, accountId, inBackground);
    const provider = account && this.#providers.get(account.provider);
    if (provider === undefined) return;
    await provider.signIn(account!, AbortSignal.timeout(SIGN_IN_MS));
    await this.#accounts.markWorking(reference, inBackground);
  }
}
