import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectBus } from '@action-platform/bus';
import type { PublishedEntry } from '@action-platform/contracts/audit';
import { AUDIT } from '@action-platform/contracts/bus';
import { readStack } from '@action-platform/local';
import { anEntry } from '@action-platform/testing';
import type { CreatedGrant } from '@action-platform/testing/http';
import type { ConsoleStack } from './console-stack.ts';

export type Grants = Record<'night' | 'agent' | 'report' | 'form', CreatedGrant>;

const HOUR = 3_600_000;
/** How many calls each hour of a day has, from midnight. */
const CALLS = [
  92, 74, 48, 30, 22, 16, 12, 14, 26, 38, 46, 52, 44, 50, 58, 49, 40, 31, 22, 16, 12, 10, 24, 66,
];
/** The share of them that the day before had. */
const BEFORE = 0.89;
/** About what a gateway sends in a message. */
const IN_A_MESSAGE = 150;

/** Publishes the calls of the last two days as gateways do, and waits until they are counted. */
export async function logTwoDays(stack: ConsoleStack, grants: Grants, collection: string): Promise<void> {
  const begun = Date.now() - HOUR / 12;
  const entries = Array.from({ length: 48 }, (_, back) => begun - back * HOUR).flatMap((hour, back) => {
    const calls = Math.round(CALLS[new Date(hour).getHours()]! * (back < 24 ? 1 : BEFORE));
    return Array.from({ length: calls }, (_unused, index) => {
      const at = new Date(hour - (index * 0.9 * HOUR) / calls).toISOString();
      const call = callOf(index, at, grants, stack);
      return anEntry({ workspace_id: stack.demo.workspace_id, at, targets: [collection], ...call });
    });
  });
  await publish(stack, entries);
  const from = new Date(begun - 49 * HOUR).toISOString();
  const counted = async () => {
    const { buckets } = await stack.owner.execute('audit.count_entries', { from, step: 'hour' });
    return buckets.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0);
  };
  while ((await counted()) < entries.length) await delay(200);
}

/** The caller and the outcome of a call, by its number within an hour. */
function callOf(
  index: number,
  at: string,
  { night, agent, report }: Grants,
  { demo: { owner, member } }: ConsoleStack,
): Partial<PublishedEntry> {
  const by = (user: typeof owner, { id }: CreatedGrant, grant_name: string, run: string) =>
    ({ user_id: user.user_id, via: 'routine_grant', grant_id: id, grant_name, invocation_id: run }) as const;
  if (index % 23 === 7) return { user_id: owner.user_id, operation: 'record_store.list_records' };
  if (index % 17 === 11)
    return { ...by(member, report, 'Report of the week', 'week-48'), operation: 'record_store.get_record' };
  if (index % 4 !== 1)
    return {
      ...by(owner, night, 'Nightly import', at.slice(0, 10)),
      operation: 'record_store.push_records',
      ...(index === 40 && { status: 400, code: 'record_store_stale_version' }),
    };
  return {
    ...by(member, agent, 'Support agent', `ticket-${88_000 + index}`),
    operation: 'custom.refund_order',
    ...(index % 16 === 9 && { status: 403, code: 'operation_approval_required' }),
    ...(index === 33 && { status: 502, code: 'custom_endpoint_failed', outcome: 'failed' }),
  };
}

async function publish({ platform }: ConsoleStack, entries: readonly PublishedEntry[]): Promise<void> {
  const { nats_url: url, authority_file: authorityFile } = readStack(platform.places);
  const seed = readFileSync(join(platform.places.keys, 'gateway', 'bus.seed'), 'utf8').trim();
  const access = { url, authorityFile, user: 'gateway', seed, maxMessageBytes: 1_048_576 } as const;
  const bus = await connectBus({ ...access, signal: AbortSignal.timeout(10_000) });
  for (let index = 0; index < entries.length; index += IN_A_MESSAGE) {
    const id = randomUUID();
    const body = JSON.stringify({ id, entries: entries.slice(index, index + IN_A_MESSAGE) });
    await bus.streams.store(AUDIT, { id, body, timeoutMs: 5_000 });
  }
  await bus.drain();
}
