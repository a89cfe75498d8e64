import { invalidRequest } from '@action-platform/contracts/errors';
import { countEntries } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { countCalls, HOUR_MS } from '../counts/count-calls.ts';
import { type Counts, sum } from '../counts/stored-counts.ts';
import type { Dependencies } from '../dependencies.ts';
import { DAY_MS, endOf, timeOf } from '../search/search.ts';
import { visibleTo } from '../search/visible.ts';

/** The most days that are counted at once. */
const MOST_DAYS = 31;

/** `audit.count_entries` */
export function serveCountEntries({ chains, counts }: Dependencies): ServedCall {
  return serveOperation(countEntries, async ({ step, grant_id, ...asked }, context) => {
    const { workspaceId } = context.principal;
    const stepMs = step === 'hour' ? HOUR_MS : DAY_MS;
    const { from, to } = periodOf(asked, stepMs, Date.now(), chains.retentionMs);
    const buckets = new Map<number, Counts>();
    for (let at = floor(from, stepMs); at < to; at += stepMs)
      buckets.set(at, { calls: 0, refused: 0, failed: 0 });
    const visible = await visibleTo(chains, context.principal, { grant_id }, context);
    if (visible !== undefined) {
      const counted = await countCalls({ chains, counts, workspaceId, visible, from, to }, context);
      for (const [hour, ofHour] of counted) {
        const at = floor(hour, stepMs);
        buckets.set(at, sum(buckets.get(at)!, ofHour));
      }
    }
    return { buckets: [...buckets].map(([at, each]) => ({ at: new Date(at).toISOString(), ...each })) };
  });
}

/** The beginning of the hour or the day, of this length, that a time is in. */
function floor(time: number, lengthMs: number): number {
  return Math.floor(time / lengthMs) * lengthMs;
}

/**
 * The period of a call, within the time that entries are kept. By default it ends with the hour that has begun, and begins with the
 * bucket of 24 hours before. Throws ActionError `invalid_request` for a longer one than 31 days: a schema has no rule for two fields.
 */
function periodOf(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  stepMs: number,
  now: number,
  retentionMs: number,
): { from: number; to: number } {
  const nextHour = floor(now, HOUR_MS) + HOUR_MS;
  const to = Math.min(endOf(asked.to) ?? nextHour, nextHour);
  const asksFrom = timeOf(asked.from);
  const from = asksFrom ?? floor(Math.min(to, now) - DAY_MS, stepMs);
  if (asksFrom !== undefined && (endOf(asked.to) ?? nextHour - HOUR_MS) - asksFrom > MOST_DAYS * DAY_MS) {
    const message = `from, to: the period is longer than ${MOST_DAYS} days.`;
    throw invalidRequest(message);
  }
  return { from: Math.max(from, floor(now - retentionMs, DAY_MS)), to };
}
