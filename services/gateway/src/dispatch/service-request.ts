import { type BusReply, refusalOf, retryAfterOf } from '@action-platform/bus';
import { busHeaders, type Effect, type FeedPage } from '@action-platform/contracts';

/** An answer that a browser saves as a file. */
export interface AnswerFile {
  readonly mediaType: string;
  readonly name: string;
}

/** The successful answer of a service. */
export interface Answer {
  /** The JSON text as the service wrote it, or its first chunk when `more` is set. */
  readonly body: Uint8Array;
  /** The further chunks of a long body, fetched as they are consumed; `return` cancels them. */
  readonly more?: AsyncGenerator<Uint8Array> | undefined;
  /** Of another text than JSON. */
  readonly file?: AnswerFile | undefined;
  /** Whether it is the outcome of an earlier call with the same idempotency key. */
  readonly isReplay: boolean;
  /** The seconds after which the caller should repeat a call whose outcome is unknown. */
  readonly retryAfter?: number | undefined;
  /** Of an operation that waits. */
  readonly feed?: FeedPage | undefined;
}

/**
 * The answer in a successful reply from the bus. Any other reply is thrown as its ActionError.
 *
 * @param file of an answer that is no JSON, and may be empty.
 */
export function answerOf(reply: BusReply, effect: Effect, file?: AnswerFile): Answer {
  const { body, more } = reply;
  const isGood = reply.status === 200 && (body.length > 0 || more !== undefined || file !== undefined);
  if (!isGood) throw refusalOf(reply, effect);
  const feed = reply.header(busHeaders.feed);
  return {
    body,
    more,
    file,
    isReplay: reply.header(busHeaders.replayed) === 'true',
    retryAfter: retryAfterOf(reply),
    ...(feed !== '' && { feed: JSON.parse(feed) as FeedPage }),
  };
}
