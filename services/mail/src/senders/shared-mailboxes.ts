import { oneMoreCommit } from '@action-platform/change-events';
import type { Origin, Originated, Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import type { ExactLimit } from '@action-platform/contracts/limits';
import { slotWithin, unlessTaken, within } from '@action-platform/mongo';
import type { Collection, Filter } from 'mongodb';
import {
  notRemoved,
  REMOVED_KEPT_MS,
  type SenderCommit,
  type StoredSharedMailbox,
} from './stored-mailbox.ts';

/** The fields of a shared mailbox that its Owners decide. */
export type SharedUses = Pick<
  StoredSharedMailbox,
  'display_name' | 'members' | 'everyone' | 'interactive' | 'scheduled'
>;

/** The fields of a shared mailbox that its Owners decide. */
export function usesOf({
  display_name,
  members,
  everyone,
  interactive,
  scheduled,
}: StoredSharedMailbox): SharedUses {
  return { display_name, members, everyone, interactive, scheduled };
}

/** A shared mailbox that has not been stored yet. */
export type NewSharedMailbox = SharedUses &
  Pick<StoredSharedMailbox, 'workspace_id' | 'email' | 'provider' | 'account_id'>;

/** Matches the mailboxes that nobody may use. */
export const unusable = { everyone: false, members: [] } as const satisfies Filter<StoredSharedMailbox>;

/** The mailboxes that Members share. Each change is one update of one document, and one event. */
export class SharedMailboxes {
  readonly #mailboxes: Collection<StoredSharedMailbox>;
  readonly #most: ExactLimit;

  /** @param most how many a Workspace may have. */
  constructor(mailboxes: Collection<StoredSharedMailbox>, most: ExactLimit) {
    this.#mailboxes = mailboxes;
    this.#most = most;
  }

  /** Adds a shared mailbox, or replaces the one with this address. @throws ActionError `invalid_request` at the limit. */
  async put(mailbox: NewSharedMailbox, call: Originated): Promise<StoredSharedMailbox> {
    const { workspace_id, email } = mailbox;
    const address = email.toLowerCase();
    for (;;) {
      const replaced = await this.#change({ workspace_id, address }, mailbox, call);
      if (replaced !== null) return replaced;
      const counted = { workspace_id, ...notRemoved };
      const limit = {
        most: this.#most,
        has: `The Workspace has ${this.#most} shared mailboxes`,
        wayOut: 'Remove one that is not needed.',
      };
      const slot = await slotWithin(this.#mailboxes, counted, limit, call);
      const added: SenderCommit = { type: 'sender.added', at: new Date(), ...call.origin };
      const stored = { _id: newId('sender'), ...mailbox, address, slot, commits: { 1: added } };
      // `unlessTaken` returns false when a concurrent call took the slot or the address.
      if (await unlessTaken(this.#mailboxes.insertOne(stored, within(call)))) return stored;
    }
  }

  /** Changes fields of a shared mailbox. @throws ActionError `sender_not_found` */
  async change(
    workspace_id: string,
    _id: string,
    change: Partial<SharedUses>,
    call: Originated,
  ): Promise<StoredSharedMailbox> {
    const changed = await this.#change({ workspace_id, _id, ...notRemoved }, change, call);
    if (changed === null) throw new ActionError('sender_not_found');
    return changed;
  }

  /** The shared mailbox with an address. */
  async find(workspace_id: string, email: string, timed: Timed): Promise<StoredSharedMailbox | null> {
    return await this.#mailboxes.findOne({ workspace_id, address: email.toLowerCase() }, within(timed));
  }

  /** A shared mailbox by its id, also one that was removed; null when it is not known any more. */
  async get(workspace_id: string, _id: string, timed: Timed): Promise<StoredSharedMailbox | null> {
    return await this.#mailboxes.findOne({ workspace_id, _id }, within(timed));
  }

  /** The shared mailboxes of a Workspace, by address. */
  async list(workspace_id: string, timed: Timed): Promise<StoredSharedMailbox[]> {
    const found = this.#mailboxes.find({ workspace_id, ...notRemoved }, within(timed));
    return await found.sort({ address: 1 }).toArray();
  }

  /** Removes a shared mailbox, and returns it as it was; null for one that is unknown, was removed, or does not match the condition. */
  async remove(
    workspace_id: string,
    _id: string,
    call: Timed & { readonly origin?: Origin },
    condition: Filter<StoredSharedMailbox> = {},
  ): Promise<StoredSharedMailbox | null> {
    const removal = {
      address: { $concat: [' ', '$_id'] },
      expires_at: { $add: ['$$NOW', REMOVED_KEPT_MS] },
      commits: senderCommit('sender.removed', call.origin),
    };
    return await this.#mailboxes.findOneAndUpdate(
      { workspace_id, _id, ...notRemoved, ...condition },
      [{ $set: removal }, { $unset: 'slot' }],
      { returnDocument: 'before', ...within(call) },
    );
  }

  /** A mailbox that was removed; null when it is not known any more. */
  async findRemoved(workspace_id: string, _id: string, timed: Timed): Promise<StoredSharedMailbox | null> {
    return await this.#mailboxes.findOne({ workspace_id, address: ` ${_id}` }, within(timed));
  }

  /**
   * Removes a user from all shared mailboxes of a Workspace; returns how many it changed, and the mailboxes that nobody may use then, also
   * those that were removed.
   */
  async removeMember(workspace_id: string, userId: string, timed: Timed) {
    const others = { $filter: { input: '$members', cond: { $ne: ['$$this', { $literal: userId }] } } };
    const { modifiedCount } = await this.#mailboxes.updateMany(
      { workspace_id, members: userId, ...notRemoved },
      [{ $set: { members: others, commits: senderCommit('sender.changed') } }],
      within(timed),
    );
    const removed = { workspace_id, members: userId };
    const ofRemoved = await this.#mailboxes.updateMany(
      removed,
      { $pull: { members: userId } },
      within(timed),
    );
    const changed = modifiedCount + ofRemoved.modifiedCount;
    return {
      changed,
      unused: await this.#mailboxes.find({ workspace_id, ...unusable }, within(timed)).toArray(),
    };
  }

  async #change(
    which: Filter<StoredSharedMailbox>,
    fields: Partial<NewSharedMailbox>,
    call: Originated,
  ): Promise<StoredSharedMailbox | null> {
    // A name may begin with a dollar sign.
    const given = Object.entries(fields).map(([name, value]) => [name, { $literal: value }]);
    const set = { ...Object.fromEntries(given), commits: senderCommit('sender.changed', call.origin) };
    const options = { returnDocument: 'after', ...within(call) } as const;
    return await this.#mailboxes.findOneAndUpdate(which, [{ $set: set }], options);
  }
}

function senderCommit(type: SenderCommit['type'], origin: Partial<Origin> = {}) {
  return oneMoreCommit({ type, ...origin });
}
