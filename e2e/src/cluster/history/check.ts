import { checkAuthority } from './authority.ts';
import { checkDrafts, checkQuota } from './bounds.ts';
import type { History } from './history.ts';
import { checkListings } from './listings.ts';
import { checkOrder } from './order.ts';
import { checkWrites } from './writes.ts';

const rules = [checkWrites, checkOrder, checkListings, checkAuthority, checkQuota, checkDrafts];

/** The anomalies of a history; empty when the platform kept its promises. */
export function check(history: History): string[] {
  return rules.flatMap((rule) => [...rule(history)]);
}
