import type { Bus } from '@action-platform/bus';
import type { DataKind, GrantData } from '@action-platform/contracts/authority';
import {
  type Call,
  describeMailboxes,
  findCollections,
  findConnector,
  findSenders,
  type NamedData,
  namedIn,
  storesCall,
} from '@action-platform/contracts/calls';
import { MAILBOXES_DESCRIBED_MAX } from '@action-platform/contracts/limits';
import { services } from '@action-platform/contracts/services';
import {
  type AskingContext,
  type CallContext,
  callOnward,
  collectionIdsOf,
} from '@action-platform/service-host';
import type { z } from 'zod';
import type { MemberKey, Membership } from '../members/stored-member.ts';

/** The mailbox of a connection. */
export type MailboxOfConnection = z.output<typeof describeMailboxes.output>['mailboxes'][number];

/** Finds the data of a kind that the Member can see among ids, and names of Collections. */
type FindVisible = (
  ids: string[],
  member: Membership,
  context: AskingContext,
) => Promise<readonly NamedData[]>;

/** The calls that grants makes to other services. */
export class OtherServices {
  readonly #bus: Bus;

  /** The look-up of visible data for each kind in a data scope. */
  readonly visible: Readonly<Record<DataKind, FindVisible>> = {
    // Every Member sees the Collections of the Workspace.
    collectionIds: async (ids, { _id: { workspace_id: workspaceId } }, context) =>
      namedIn(await callOnward(this.#bus, findCollections, { workspaceId, ids }, context)),
    senderIds: async (ids, { _id, connections: { mail_suite: connectionId } }, context) =>
      namedIn(await this.aboutMailbox(findSenders, _id, { connectionId, ids }, context)),
    // Every Member sees the files of the company and their own.
    fileScopes: async (scopes) => scopes.map((id) => ({ id, name: id })),
  };

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** A data scope with the ids of Collections in the place of their names; a name that the Workspace does not have stays. */
  async withCollectionIds(data: GrantData, workspaceId: string, context: AskingContext): Promise<GrantData> {
    if (data.collectionIds === undefined) return data;
    const collectionIds = await collectionIdsOf(this.#bus, workspaceId, data.collectionIds, context);
    return { ...data, collectionIds };
  }

  /** Whether any of them stores anything of a Workspace. */
  async storeAny(workspaceId: string, context: CallContext): Promise<boolean> {
    const others = services.filter((service) => service !== 'grants');
    const answers = await Promise.all(
      others.map((service) => callOnward(this.#bus, storesCall(service), { workspaceId }, context)),
    );
    return answers.some(({ isStored }) => isStored);
  }

  /** An active connector of a Workspace. */
  async connector(workspaceId: string, name: string, context: CallContext) {
    return await callOnward(this.#bus, findConnector, { workspaceId, name }, context);
  }

  /** Makes a call of mail about a Member's own mailbox. */
  async aboutMailbox<Input extends z.ZodObject, Output extends z.ZodType>(
    call: Call<Input, Output>,
    { workspace_id, user_id }: MemberKey,
    input: Omit<z.input<Input>, 'workspaceId' | 'userId'>,
    context: AskingContext,
  ): Promise<z.output<Output>> {
    const whole = { workspaceId: workspace_id, userId: user_id, ...input } as z.input<Input>;
    return await callOnward(this.#bus, call, whole, context);
  }

  /** The mailboxes of connections of a Workspace, by connection id, also of those that have ended. */
  async mailboxes(
    workspaceId: string,
    connectionIds: readonly string[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, MailboxOfConnection>> {
    const found = new Map<string, MailboxOfConnection>();
    for (let from = 0; from < connectionIds.length; from += MAILBOXES_DESCRIBED_MAX) {
      const some = connectionIds.slice(from, from + MAILBOXES_DESCRIBED_MAX);
      const input = { workspaceId, connectionIds: some };
      const { mailboxes } = await callOnward(this.#bus, describeMailboxes, input, context);
      for (const mailbox of mailboxes) found.set(mailbox.connectionId, mailbox);
    }
    return found;
  }
}
