import { randomBytes } from 'node:crypto';
import type { Timed } from '@action-platform/contracts/calls';
import { invalidRequest } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import { upsertAgain, within } from '@action-platform/mongo';
import { openSecret, type SecretKeys, sealSecret } from '@action-platform/sealing';
import type { Collection } from 'mongodb';
import type { MailboxToConnect } from '../accounts/connect.ts';
import type { BegunSignIn, MicrosoftSignIn } from './microsoft-sign-in.ts';
import type { StoredAuthorization } from './stored-authorization.ts';

/** How long a Member may take to sign in, in milliseconds. */
const VALID_MS = 600_000;

type Holder = Pick<StoredAuthorization, 'workspace_id' | 'user_id'>;

/** The sign-ins of Members at Microsoft 365, each bound to its Member, for ten minutes and one answer. */
export class Authorizations {
  readonly #authorizations: Collection<StoredAuthorization>;
  readonly #keys: SecretKeys;
  readonly #signIn: MicrosoftSignIn | undefined;

  /** @param signIn undefined where the deployment has no application at Microsoft. */
  constructor(
    authorizations: Collection<StoredAuthorization>,
    keys: SecretKeys,
    signIn: MicrosoftSignIn | undefined,
  ) {
    this.#authorizations = authorizations;
    this.#keys = keys;
    this.#signIn = signIn;
  }

  /**
   * Begins the sign-in of a Member, in the place of an earlier one.
   *
   * @param email the address of the mailbox, if the Member named one.
   * @throws ActionError `invalid_request` where the deployment has no application, or no key for secrets.
   */
  async begin(holder: Holder, email: string | undefined, timed: Timed) {
    const signIn = this.#requireSignIn();
    const id = newId('mailAuthorization');
    // The console finds the sign-in by the state that Microsoft returns.
    const state = `${id}.${randomBytes(32).toString('base64url')}`;
    const { url, verifier } = await signIn.begin(state, email);
    const secret: BegunSignIn = { verifier, state, ...(email !== undefined && { email }) };
    const sealed = sealSecret(JSON.stringify(secret), ownerOf(holder, id), this.#keys);
    const expires_at = new Date(Date.now() + VALID_MS);
    await upsertAgain(() =>
      this.#authorizations.updateOne(
        holder,
        { $set: { id, sealed, expires_at } },
        { upsert: true, ...within(timed) },
      ),
    );
    return { id, authorizationUrl: url };
  }

  /**
   * Redeems the answer to a sign-in, which then counts no more; returns the mailbox of the person.
   *
   * @throws ActionError `invalid_request` for a sign-in that is unknown, used, too old or another Member's, for another state, and for a
   *   code that Microsoft refuses.
   */
  async complete(
    holder: Holder,
    { id, code, state }: { readonly id: string; readonly code: string; readonly state: string },
    timed: Timed,
  ): Promise<MailboxToConnect> {
    const signIn = this.#requireSignIn();
    const filter = { ...holder, id, expires_at: { $gt: new Date() } };
    const begun = await this.#authorizations.findOneAndDelete(filter, within(timed));
    if (begun === null)
      throw invalidRequest('id: no sign-in of yours with this id is under way; begin another one.');
    const opened: BegunSignIn = JSON.parse(openSecret(begun.sealed, ownerOf(holder, id), this.#keys));
    if (opened.state !== state)
      throw invalidRequest('state: is not that of this sign-in; begin another one.');
    return await signIn.complete(code, opened, timed);
  }

  #requireSignIn(): MicrosoftSignIn {
    if (this.#signIn !== undefined && this.#keys.newest !== undefined) return this.#signIn;
    throw invalidRequest(
      'Sign-in at Microsoft 365 is not set up: see MAIL_GRAPH_CLIENT_ID and MAIL_SECRET_KEYS.',
    );
  }
}

function ownerOf({ workspace_id, user_id }: Holder, id: string): string[] {
  return [workspace_id, user_id, id];
}
