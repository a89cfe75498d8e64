import { type Bus, callService } from '@action-platform/bus';
import { describeApprovals } from '@action-platform/contracts/calls';
import type { ChangeEvent } from '@action-platform/contracts/change-events';
import type { WebhookTestEvent } from '@action-platform/contracts/resources';
import { DESCRIBED_MAX, type MessageForm, messageBody, type Notice } from './forms.ts';

/** How long grants may take to describe approvals, in milliseconds. */
const DESCRIBED_MS = 5_000;

/** An event of a delivery. */
type DeliveredEvent = ChangeEvent | WebhookTestEvent;

const titles: Readonly<Record<string, string>> = {
  'approval.requested': 'A call waits for a decision',
  'approval.approved': 'A call was approved',
  'approval.rejected': 'A call was rejected',
  'webhook_endpoint.failing': 'A webhook endpoint fails',
  'webhook.test': 'A test of this webhook',
};

/** Writes the messages of a deployment. @param publicUrl an endpoint that takes messages needs it */
export function messageWriter(bus: Bus, publicUrl = '') {
  return async (form: MessageForm, workspaceId: string, events: readonly string[]): Promise<string> => {
    const described = events.slice(0, DESCRIBED_MAX).map((event) => JSON.parse(event) as DeliveredEvent);
    const notices = await noticesOf(bus, workspaceId, described, publicUrl);
    return messageBody(form, notices, events.length);
  };
}

/** Describes events of a Workspace to people: by ids, and by what grants says about approvals, never by a value of a call. */
async function noticesOf(
  bus: Bus,
  workspaceId: string,
  events: readonly DeliveredEvent[],
  publicUrl: string,
): Promise<Notice[]> {
  const ids = [...new Set(events.flatMap(({ data }) => data.approval_id ?? []))];
  const { approvals } =
    ids.length === 0
      ? { approvals: [] }
      : await callService(bus, describeApprovals, { workspaceId, ids }, { timeoutMs: DESCRIBED_MS });
  return events.map(({ type, subject, data: { approval_id, operation_id } }) => {
    const described = approvals.find(({ id }) => id === approval_id);
    const facts: Notice['facts'] = [
      ...(described ? [['Action', described.title] as const] : []),
      ...(operation_id === undefined ? [] : [['Operation', operation_id] as const]),
      ...(described
        ? ([
            ['Caller', described.caller],
            ['Lapses', described.lapsesAt],
          ] as const)
        : []),
    ];
    const path = approval_id === undefined ? pageOf(type, subject) : `approvals/${approval_id}`;
    return { title: titles[type] ?? type, facts, page: `${publicUrl}/console/${path}` };
  });
}

function pageOf(type: string, subject: string): string {
  return type.startsWith('connector.') ? 'connectors' : `webhooks/${subject}`;
}
