import { listSenders } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeSharedMailbox } from '../senders/stored-mailbox.ts';

/** `admin.mail.list_senders` */
export function serveListSenders({ senders }: Dependencies): ServedCall {
  return serveCall(listSenders, async ({ workspace }, context) => ({
    senders: (await senders.listShared(workspace, context)).map(describeSharedMailbox),
  }));
}
