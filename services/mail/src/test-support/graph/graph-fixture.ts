import { toRfc5322 } from '../../messages/rfc5322.ts';
import { openGraphProvider } from '../../providers/graph/graph-provider.ts';
import type { MailSystemFixture } from '../mail-system-fixture.ts';
import { GraphStandIn } from './graph-stand-in.ts';
import type { StoredMessage } from './stand-in-mailbox.ts';

/** Mailboxes of Microsoft 365 in the stand-in: a tenant for each Workspace. */
export function graphFixture(): MailSystemFixture {
  let graph: GraphStandIn;
  return {
    start: async () => {
      graph = await GraphStandIn.trusted();
    },
    stop: () => graph.stop(),
    open: async () => openGraphProvider(),
    mailbox: (workspaceId, email) => {
      graph.mailbox(email, workspaceId);
      return { provider: 'graph', settings: graph.settings(workspaceId), secret: graph.tokens.secret };
    },
    drafts: async (workspaceId) =>
      await Promise.all(
        graph.messagesIn(workspaceId).map(async (stored) => ({
          id: stored.immutableId,
          message: await internetMessage(stored),
        })),
      ),
    draftUrl: /^https:\/\/outlook\.office365\.com\/owa\/\?ItemID=/,
  };
}

/** A stored message as Exchange would send it. */
async function internetMessage({ message, properties }: StoredMessage): Promise<Buffer> {
  const addresses = (recipients: typeof message.toRecipients) =>
    (recipients ?? []).map(({ emailAddress }) => emailAddress!.address!);
  const { name, address } = message.from!.emailAddress!;
  return await toRfc5322({
    marker: properties[0]!.value!,
    from: { name: name!, address: address! },
    to: addresses(message.toRecipients),
    cc: addresses(message.ccRecipients),
    subject: message.subject!,
    body: message.body!.content!,
    date: new Date(message.createdDateTime!),
  });
}
