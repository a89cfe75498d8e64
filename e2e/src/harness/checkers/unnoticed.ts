import { type SteadyLoad, tallyText } from '@action-platform/testing';

/**
 * Every call succeeds at its first attempt, and every gateway that is ready accepts connections.
 *
 * @param tally the outcomes of callers with connections of their own, and without retries
 * @param refused how many connections the gateways refused
 */
export function* checkUnnoticed(tally: ReturnType<SteadyLoad['count']>, refused: number): Generator<string> {
  if (tally.answered === 0) yield 'no call was answered';
  if (tally.failed.size > 0) yield `callers noticed: ${tallyText(tally)}`;
  if (refused > 0) yield `gateways refused ${refused} connections`;
}
