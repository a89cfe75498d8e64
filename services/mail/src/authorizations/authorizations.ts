import { hash, randomBytes } from 'node:crypto';
import type { Timed } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import { upsertAgain, within } from '@action-platform/mongo';
import { openSecret, type SecretKeys, sealSecret } from '@action-platform/sealing';
import type { Collection } from 'mongodb';
import type { MailboxToConnect } from '../accounts/connect.ts';
import type { BegunSignIn, MicrosoftSignIn } from './microsoft-sign-in.ts';
import type { StoredAuthorization } from './stored-authorization.ts';

/** How long a Member may take to sign in, in milliseconds. */
const VALID_MS = 600_000;
/** How long a call may redeem a code, in seconds. */
const REDEEMED_WITHIN_S = 5;

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
        { $set: { id, sealed, expires_at }, $unset: { answer: '', connection_id: '' } },
        { upsert: true, ...within(timed) },
      ),
    );
    return { id, authorizationUrl: url };
  }

  /**
   * Redeems the answer to a sign-in, once, and connects the mailbox of the person. The same answer again goes on where the call before
   * ended, and once there is a connection it gets that one.
   *
   * @param connect stores the mailbox, and returns its connection.
   * @returns the id of the connection.
   * @throws ActionError `invalid_request` for a sign-in that is unknown, too old, another Member's or was answered otherwise, for another
   *   state, and for a code or a mailbox that Microsoft refuses: it counts no more then. `action_platform_unavailable` while another call
   *   redeems the code.
   */
  async complete(
    holder: Holder,
    { id, code, state }: { readonly id: string; readonly code: string; readonly state: string },
    timed: Timed,
    connect: (mailbox: MailboxToConnect) => Promise<string>,
  ): Promise<string> {
    const signIn = this.#requireSignIn();
    const begun = { ...holder, id };
    const answer = hash('sha256', JSON.stringify([code, state]), 'hex');
    const known = await this.#authorizations.findOneAndUpdate(
      { ...begun, expires_at: { $gt: new Date() }, $or: [{ answer }, { answer: { $exists: false } }] },
      { $set: { answer } },
      { returnDocument: 'before', ...within(timed) },
    );
    if (known === null)
      throw invalidRequest('id: no sign-in of yours with this id is under way; begin another one.');
    if (known.connection_id !== undefined) return known.connection_id;
    const owner = ownerOf(holder, id);
    const opened: BegunSignIn = JSON.parse(openSecret(known.sealed!, owner, this.#keys));
    let { mailbox } = opened;
    if (mailbox === undefined && known.answer !== undefined)
      throw new ActionError('action_platform_unavailable', { retryAfter: REDEEMED_WITHIN_S });
    try {
      if (opened.state !== state)
        throw invalidRequest('state: is not that of this sign-in; begin another one.');
      if (mailbox === undefined) {
        mailbox = await signIn.complete(code, opened, timed);
        const sealed = sealSecret(JSON.stringify({ ...opened, mailbox }), owner, this.#keys);
        await this.#authorizations.updateOne(begun, { $set: { sealed } }, within(timed));
      }
      const connection_id = await connect(mailbox);
      await this.#authorizations.updateOne(
        begun,
        { $set: { connection_id }, $unset: { sealed: '' } },
        within(timed),
      );
      return connection_id;
    } catch (error) {
      const isRefused = error instanceof ActionError && error.code === 'invalid_request';
      if (isRefused) await this.#authorizations.deleteOne(begun, within(timed));
      throw error;
    }
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
