import type { Bus } from '@action-platform/bus';
import {
  addMailbox,
  findCollections,
  findSenders,
  keepMailbox,
  services,
  storesCall,
} from '@action-platform/contracts';
import { type CallContext, callOnward } from '@action-platform/service-host';
import type { z } from 'zod';
import type { MemberKey, Membership } from '../members/stored-member.ts';

/** The calls that grants makes to other services. */
export class OtherServices {
  readonly #bus: Bus;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** The given Collections that the Member can see; every Member sees those of the Workspace. */
  async visibleCollections(ids: string[], { _id }: Membership, context: CallContext): Promise<string[]> {
    return (await callOnward(this.#bus, findCollections, { workspaceId: _id.workspace_id, ids }, context))
      .found;
  }

  /** The given senders that the Member may use. */
  async visibleSenders(
    ids: string[],
    { _id, connections }: Membership,
    context: CallContext,
  ): Promise<string[]> {
    const member = { workspaceId: _id.workspace_id, userId: _id.user_id };
    const input = { ...member, connectionId: connections.mail_suite, ids };
    return (await callOnward(this.#bus, findSenders, input, context)).found;
  }

  /** Whether any of them stores anything of a Workspace. */
  async storeAny(workspaceId: string, context: CallContext): Promise<boolean> {
    const others = services.filter((service) => service !== 'grants');
    const answers = await Promise.all(
      others.map((service) => callOnward(this.#bus, storesCall(service), { workspaceId }, context)),
    );
    return answers.some(({ isStored }) => isStored);
  }

  /** Has mail sign in to a Member's mailbox and store it; returns its new connection id. */
  async addMailbox(
    { workspace_id, user_id }: MemberKey,
    mailbox: Omit<z.input<typeof addMailbox.input>, 'workspaceId' | 'userId'>,
    context: CallContext,
  ): Promise<string> {
    const input = { workspaceId: workspace_id, userId: user_id, ...mailbox };
    return (await callOnward(this.#bus, addMailbox, input, context)).connectionId;
  }

  /**
   * Has mail delete the secrets of a Member's other mailboxes some time after this connection replaced them, or all at once without one.
   * The connection counts whether or not mail answers; then the next change of it does this.
   */
  async keepMailbox(
    { workspace_id, user_id }: MemberKey,
    connectionId: string | undefined,
    context: CallContext,
  ): Promise<void> {
    const input = { workspaceId: workspace_id, userId: user_id, connectionId };
    await callOnward(this.#bus, keepMailbox, input, context).catch((error: unknown) => {
      context.log.warn({ err: error }, 'the accounts of former mailboxes stay');
    });
  }
}
