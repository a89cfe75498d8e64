import type { Position } from '../../feed/position.ts';

/**
 * The place of an event among all that the fan-out has read, as a text that sorts. The epoch counts the streams: a stream that was created
 * anew, or set back to a backup, follows all before it.
 */
export function orderOf(epoch: number, { sequence, index }: Position): string {
  return `${padded(epoch, 6)}.${padded(sequence, 15)}.${padded(index, 6)}`;
}

/** The position of an order in the stream of an epoch: its beginning, when the order is of an earlier one. */
export function positionOf(order: string, epoch: number): Position {
  const [of, sequence, index] = order.split('.').map(Number) as [number, number, number];
  return of === epoch ? { sequence, index } : { sequence: 1, index: 0 };
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}
