import { listSendHistory } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { historyEntry } from '../attempts/history-entry.ts';
import type { MailParts } from '../mail-parts.ts';

/** mail.list_send_history */
export function serveListSendHistory({ attempts }: MailParts): ServedOperation {
  return serveOperation(listSendHistory, async (_input, { principal }) => {
    const visible = await attempts.visibleTo(principal);
    return { entries: visible.map(historyEntry) };
  });
}
