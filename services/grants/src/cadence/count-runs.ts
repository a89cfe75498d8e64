import { setTimeout as delay } from 'node:timers/promises';
import { ActionError, type MaximumCadence } from '@action-platform/contracts';
import type { Collection } from 'mongodb';
import { Chain } from './chain.ts';
import type { Invocation } from './invocation.ts';
import { freePlaces } from './window.ts';

/** Only other replicas compete for a place (a replica counts a grant's runs one batch at a time). */
const MAX_ATTEMPTS = 50;
const LONGEST_PAUSE_MS = 50;

/** A routine grant as far as its cadence is concerned. */
export interface CadenceOfGrant {
  readonly grantId: string;
  readonly cadence: MaximumCadence;
}

/**
 * Counts runs of one grant, in order, each at most once within the window, on however many replicas at once.
 * Returns for every invocation id that could not be counted the milliseconds until one can.
 *
 * @param now milliseconds since the epoch, by the clock of the database.
 */
export async function countRuns(
  invocations: Collection<Invocation>,
  { grantId, cadence }: CadenceOfGrant,
  ids: ReadonlySet<string>,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const chain = new Chain(invocations, grantId, cadence.periodSeconds * 1000);
  let open = ids.difference(await chain.countedAmong(ids, now));
  for (let attempt = 1; open.size > 0; attempt++) {
    const head = await chain.head();
    // Read after the head: a run that another replica counts from here on takes the place that is tried below.
    const [counted, takenAt] = await Promise.all([
      chain.countedAmong(open, now),
      chain.takenBetween(head, cadence.invocations, open.size),
    ]);
    open = open.difference(counted);
    const { places, waitMs } = freePlaces(cadence, head, takenAt, now, open.size);
    const inOrder = [...open];
    if (await chain.take(places, inOrder)) {
      return new Map(inOrder.slice(places.length).map((id) => [id, waitMs]));
    }
    if (attempt === MAX_ATTEMPTS) throw new ActionError('action_platform_unavailable');
    await delay(Math.random() * Math.min(attempt * 5, LONGEST_PAUSE_MS));
  }
  return new Map();
}
