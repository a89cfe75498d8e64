import { type Bus, callService } from '@action-platform/bus';
import { describeApprovals } from '@action-platform/contracts/calls';
import { type ChangeEvent, noticeOf } from '@action-platform/contracts/change-events';
import { visible } from '@action-platform/contracts/operations';
import type { WebhookTestEvent } from '@action-platform/contracts/resources';
import type { z } from 'zod';
import { DESCRIBED_MAX, type MessageForm, messageBody, type Notice } from './forms.ts';

/** How long grants may take to describe approvals, in milliseconds. */
const DESCRIBED_MS = 2_000;

/** An event of a delivery. */
type DeliveredEvent = ChangeEvent | WebhookTestEvent;

const TEST_TITLE = 'A test of this webhook';

/** Writes the messages of a deployment. @param publicUrl an endpoint that takes messages needs it */
export function messageWriter(bus: Bus, publicUrl = '') {
  return async (
    form: MessageForm,
    workspaceId: string,
    events: readonly string[],
    mayHaveIdsAlone: boolean,
  ): Promise<string> => {
    const first = events.slice(0, DESCRIBED_MAX).map((event) => JSON.parse(event) as DeliveredEvent);
    const ids = [...new Set(first.flatMap(({ data }) => data.approval_id ?? []))];
    const described = await approvalsOf(bus, workspaceId, ids).catch((error: unknown): Described => {
      if (!mayHaveIdsAlone) throw error;
      return [];
    });
    const notices = noticesOf(first, described, publicUrl);
    return messageBody(form, notices, events.length);
  };
}

type Described = z.output<typeof describeApprovals.output>['approvals'];

async function approvalsOf(bus: Bus, workspaceId: string, ids: readonly string[]): Promise<Described> {
  if (ids.length === 0) return [];
  const asked = { workspaceId, ids: [...ids] };
  return (await callService(bus, describeApprovals, asked, { timeoutMs: DESCRIBED_MS })).approvals;
}

/** Describes events of a Workspace to people: by ids, and by what grants says about approvals, never by a value of a call. */
function noticesOf(events: readonly DeliveredEvent[], approvals: Described, publicUrl: string): Notice[] {
  return events.map(({ type, subject, data: { approval_id, operation_id } }) => {
    const described = approvals.find(({ id }) => id === approval_id);
    const facts: Notice['facts'] = [
      ...(described ? [['Action', described.title] as const] : []),
      ...(operation_id === undefined ? [] : [['Operation', operation_id] as const]),
      ...(described
        ? ([
            // A name could forge lines of the message.
            ['Caller', visible(described.caller)],
            ['Lapses', described.lapsesAt],
          ] as const)
        : []),
    ];
    const path = approval_id === undefined ? pageOf(type, subject) : `approvals/${approval_id}`;
    return { title: noticeOf(type) ?? TEST_TITLE, facts, page: `${publicUrl}/console/${path}` };
  });
}

function pageOf(type: string, subject: string): string {
  return type.startsWith('connector.') ? 'custom-operations' : `webhooks/${subject}`;
}
