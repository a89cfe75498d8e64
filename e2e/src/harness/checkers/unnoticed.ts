import { type SteadyLoad, tallyText } from '@action-platform/testing';

/** The failures that callers with connections of their own, and without retries, noticed. */
export interface Noticed {
  readonly tally: ReturnType<SteadyLoad['count']>;
  /** How many connections the gateways refused. */
  readonly refused: number;
}

/** Every call succeeds at its first attempt, and every gateway that is ready accepts connections. */
export function* checkUnnoticed({ tally, refused }: Noticed): Generator<string> {
  if (tally.answered === 0) yield 'no call was answered';
  if (tally.failed.size > 0) yield `callers noticed: ${tallyText(tally)}`;
  if (refused > 0) yield `gateways refused ${refused} connections`;
}
