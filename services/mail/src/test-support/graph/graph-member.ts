import type { Principal } from '@action-platform/contracts/authority';
import { aMember } from '@action-platform/testing';
import type { TestMail } from '../test-mail.ts';
import type { GraphStandIn } from './graph-stand-in.ts';
import type { StandInMailbox } from './stand-in-mailbox.ts';

/** A Member, and their mailbox in the stand-in. */
export type GraphMember = Principal & { readonly mailbox: StandInMailbox };

/** A Member of a new Workspace with a mailbox in the stand-in. */
export async function graphMember(
  mail: TestMail,
  graph: GraphStandIn,
  secret = graph.tokens.secret,
): Promise<GraphMember> {
  const member = aMember();
  const email = `${member.workspaceId}@example.com`;
  const mailbox = graph.mailbox(email);
  const options = { provider: 'graph', settings: graph.settings(), secret };
  return { ...(await mail.connected(member, { email, ...options })), mailbox };
}
