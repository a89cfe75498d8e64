import { hash, randomBytes } from 'node:crypto';
import type { Timed } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { idPrefixes, newId } from '@action-platform/contracts/ids';
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
/** How long after an answer a call may still redeem it, in milliseconds: also where the clocks of replicas differ. */
const LOST_MS = 30_000;

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
        { $set: { id, sealed, expires_at }, $unset: { answer: '' } },
        { upsert: true, ...within(timed) },
      ),
    );
    return { id, authorizationUrl: url };
  }

  /**
   * Redeems the answer to a sign-in, once, and connects the mailbox of the person. The same answer again goes on where the call before
   * ended, and once there is a connection it gets that one.
   *
   * @param connect stores the mailbox as that of a new connection with this id, unless a live one has it; returns the id of its connection.
   * @returns the id of the connection.
   * @throws ActionError `invalid_request` for a sign-in that is unknown, too old, another Member's or was answered otherwise, for another
   *   state, and for a code or a mailbox that Microsoft refuses: it counts no more then. `action_platform_unavailable` while another call
   *   redeems the code.
   */
  async complete(
    holder: Holder,
    { id, code, state }: { readonly id: string; readonly code: string; readonly state: string },
    timed: Timed,
    connect: (mailbox: MailboxToConnect, connectionId: string) => Promise<string>,
  ): Promise<string> {
    const signIn = this.#requireSignIn();
    const owner = ownerOf(holder, id);
    const begun = { ...holder, id };
    const digest = hash('sha256', JSON.stringify([code, state]), 'hex');
    const first = { $literal: { id, digest, at: new Date() } };
    const known = await this.#authorizations.findOneAndUpdate(
      {
        ...begun,
        expires_at: { $gt: new Date() },
        $or: [{ 'answer.id': { $ne: id } }, { 'answer.digest': digest }],
      },
      [{ $set: { answer: { $cond: [{ $eq: ['$answer.id', id] }, '$answer', first] } } }],
      { returnDocument: 'before', ...within(timed) },
    );
    if (known === null)
      throw invalidRequest('id: no sign-in of yours with this id is under way; begin another one.');
    // How far earlier calls with this answer came: nothing, redeemed with a mailbox, or connected.
    const reached = known.answer?.id === id ? known.answer : undefined;
    if (reached?.connection_id !== undefined) return reached.connection_id;
    if (reached !== undefined && reached.mailbox === undefined) throw beingRedeemed(reached.at);
    try {
      let mailbox: MailboxToConnect;
      if (reached?.mailbox !== undefined)
        mailbox = JSON.parse(openSecret(reached.mailbox, owner, this.#keys));
      else {
        const secret: BegunSignIn = JSON.parse(openSecret(known.sealed, owner, this.#keys));
        if (secret.state !== state)
          throw invalidRequest('state: is not that of this sign-in; begin another one.');
        mailbox = await signIn.complete(code, secret, timed);
        const sealed = sealSecret(JSON.stringify(mailbox), owner, this.#keys);
        await this.#authorizations.updateOne(begun, { $set: { 'answer.mailbox': sealed } }, within(timed));
      }
      const connection_id = await connect(mailbox, connectionOf(id));
      const connected = { $set: { 'answer.connection_id': connection_id }, $unset: { 'answer.mailbox': '' } };
      await this.#authorizations.updateOne(begun, connected, within(timed));
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

/** The id of the connection of a sign-in, so that concurrent calls connect one mailbox. */
function connectionOf(id: string): string {
  return idPrefixes.connection + id.slice(idPrefixes.mailAuthorization.length);
}

/** The error while a call redeems the code, and once that call is certainly lost. */
function beingRedeemed(answeredAt: Date): ActionError {
  if (Date.now() - answeredAt.getTime() < LOST_MS)
    return new ActionError('action_platform_unavailable', { retryAfter: REDEEMED_WITHIN_S });
  return invalidRequest('id: the answer to this sign-in was lost; begin another one.');
}
