import { type BusReply, refusalOf } from '@action-platform/bus';
import { busHeaders, type Effect } from '@action-platform/contracts';

/** The successful answer of a service. */
export interface Answer {
  /** The JSON text as the service wrote it, or its first chunk when `more` is set. */
  readonly body: Uint8Array;
  /** The further chunks of a long body, fetched as they are consumed; `return` cancels them. */
  readonly more?: AsyncGenerator<Uint8Array> | undefined;
  /** Whether it is the outcome of an earlier call with the same idempotency key. */
  readonly isReplay: boolean;
}

/** The answer in a successful reply from the bus. Any other reply is thrown as its ActionError. */
export function answerOf(reply: BusReply, effect: Effect): Answer {
  const { body, more } = reply;
  const isGood = reply.status === 200 && (body.length > 0 || more !== undefined);
  if (!isGood) throw refusalOf(reply, effect);
  return { body, more, isReplay: reply.header(busHeaders.replayed) === 'true' };
}
