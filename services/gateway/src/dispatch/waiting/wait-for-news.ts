import { principalIn } from '../principal-in.ts';
import type { AdmittedCall } from '../sent-call.ts';
import type { ServiceAnswer } from '../service-request.ts';
import type { Notifier } from './notifier.ts';

/** The fields of the input and the result of an operation that waits. */
interface Input {
  readonly cursor?: string;
  readonly wait_seconds?: number;
}
interface Body {
  readonly result: { readonly next_cursor: string };
}

/** How long before its deadline a call asks for the last time, in milliseconds. */
const ANSWER_MS = 1_000;

const decoder = new TextDecoder();

/**
 * Repeats a call of an operation that waits (`Operation.waits`) while its page is empty and its caller wants to wait, each time with
 * authority of its own. The limit of its Workspace counts the call once. Meanwhile the call has no slot among those in flight.
 */
export async function waitForNews(
  { exchange, caller }: AdmittedCall,
  body: Uint8Array,
  notifier: Notifier,
  ask: (body: Uint8Array, isRepetition: boolean) => Promise<ServiceAnswer>,
): Promise<ServiceAnswer> {
  const { context, ended } = exchange;
  const hasEnded = () => ended.aborted || notifier.leaving.aborted;
  const begunAt = performance.now();
  let askedAt = begunAt;
  let answer = await ask(body, false);
  let input: Input | undefined;
  while (answer.feed?.count === 0 && answer.feed.end !== undefined && !hasEnded()) {
    const { end } = answer.feed;
    input ??= JSON.parse(decoder.decode(body) || '{}') as Input;
    const waitUntil = Math.min(begunAt + (input.wait_seconds ?? 0) * 1000, exchange.deadline - ANSWER_MS);
    const leftMs = waitUntil - performance.now();
    if (leftMs <= 0) break;
    const workspaceId = principalIn(context.principal)?.workspaceId;
    if (workspaceId === undefined) break;
    const waitedSince = performance.now();
    const hasSlot = await caller.waitWithoutSlot(() =>
      notifier.after({ workspaceId, end, askedAt }, leftMs, ended),
    );
    context.waitedMs = (context.waitedMs ?? 0) + performance.now() - waitedSince;
    askedAt = performance.now();
    if (!hasSlot) continue;
    const { next_cursor: cursor } = (JSON.parse(decoder.decode(answer.body)) as Body).result;
    answer = await ask(Buffer.from(JSON.stringify({ ...input, cursor })), true);
  }
  return answer;
}
