import type { Call } from '@action-platform/contracts/calls';
import { ActionError, failureOf } from '@action-platform/contracts/errors';
import { CALL_ANSWER_MAX_BYTES, OPERATOR_ANSWER_MAX_BYTES } from '@action-platform/contracts/limits';
import type { z } from 'zod';
import type { Bus } from '../bus.ts';
import type { BusReply } from '../long-answers/reply.ts';
import type { BusRequestOptions } from '../request.ts';
import { parsed } from '../wire/parsed.ts';
import { refusalOf } from './refusal.ts';

/**
 * Makes a call of the registry and returns its output; `timeoutMs` is for the whole of it. Throws ActionError: the refusal of the service,
 * or what `Bus.request` throws, also when the answer is not what the call declares, or larger than an answer to it may be.
 *
 * @param options.onReply receives the answer before it is read, for its headers.
 */
export async function callService<Input extends z.ZodObject, Output extends z.ZodType>(
  bus: Bus,
  { subject, effect, output, callers }: Call<Input, Output>,
  input: z.input<Input>,
  { onReply, ...options }: Omit<BusRequestOptions, 'effect'> & { onReply?: (reply: BusReply) => void },
): Promise<z.output<Output>> {
  const deadline = performance.now() + options.timeoutMs;
  const reply = await bus.request(subject, JSON.stringify(input), { ...options, effect });
  onReply?.(reply);
  if (reply.status !== 200) throw refusalOf(reply, effect);
  const isForOperators = callers.every((caller) => caller === 'admin');
  const largest = isForOperators ? OPERATOR_ANSWER_MAX_BYTES : CALL_ANSWER_MAX_BYTES;
  const value = parsed(await wholeBody(reply, largest, deadline).catch(() => new Uint8Array()));
  if (!matches(output, value)) throw new ActionError(failureOf(effect));
  return value;
}

/** Whether a value matches a schema. Unknown fields match, as they may come from a later version. */
function matches<Schema extends z.ZodType>(schema: Schema, value: unknown): value is z.output<Schema> {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.every(({ code }) => code === 'unrecognized_keys');
}

/** The bytes of an answer; none, which is no JSON, when there are too many or they take too long. */
async function wholeBody({ body, more }: BusReply, largest: number, deadline: number): Promise<Uint8Array> {
  const none = new Uint8Array();
  if (more === undefined) return body.length > largest ? none : body;
  const late = Promise.withResolvers<Uint8Array>();
  const timer = setTimeout(late.resolve, Math.max(1, deadline - performance.now()), none);
  try {
    return await Promise.race([collect(body, more, largest), late.promise]);
  } finally {
    clearTimeout(timer);
    // The sender of an incomplete answer stops.
    void more.return(undefined);
  }
}

/** Returns all bytes of an answer in chunks; none when there are more than `largest`. */
async function collect(
  first: Uint8Array,
  more: AsyncGenerator<Uint8Array>,
  largest: number,
): Promise<Uint8Array> {
  const chunks = [first];
  let bytes = first.length;
  for await (const chunk of more) {
    bytes += chunk.length;
    if (bytes > largest) return new Uint8Array();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
