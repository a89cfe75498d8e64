import { ActionError, CALL_ANSWER_MAX_BYTES, type Call } from '@action-platform/contracts';
import type { z } from 'zod';
import type { Bus } from './bus.ts';
import { retryAfterOf } from './headers.ts';
import type { BusReply, BusRequestOptions } from './question.ts';

/**
 * Makes a call of the registry and returns its output. Throws ActionError: the refusal of the service that serves it,
 * or what `Bus.request` throws; the latter also when the answer is no JSON text or larger than CALL_ANSWER_MAX_BYTES.
 */
export async function callService<Input extends z.ZodObject, Output extends z.ZodType>(
  bus: Bus,
  call: Call<Input, Output>,
  input: z.input<Input>,
  options: Omit<BusRequestOptions, 'effect'>,
): Promise<z.output<Output>> {
  const { subject, effect } = call;
  const reply = await bus.request(subject, JSON.stringify(input), { ...options, effect });
  const value = parse(await wholeText(reply));
  if (reply.status === 200 && value !== undefined) return value as z.output<Output>;
  throw (
    ActionError.fromEnvelope(value, retryAfterOf(reply)) ??
    new ActionError(effect === 'read' ? 'action_platform_unavailable' : 'action_infrastructure_failure')
  );
}

/** The value; undefined for what is not JSON, of which the parser's error would quote a part. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text of an answer; of one that is larger than it may be nothing, which is no JSON, and its sender is told to stop. */
async function wholeText({ body, more }: BusReply): Promise<string> {
  if (more === undefined) return new TextDecoder().decode(body);
  const chunks = [body];
  let bytes = body.length;
  for await (const chunk of more) {
    bytes += chunk.length;
    // Leaving the loop returns the generator, which cancels the answer.
    if (bytes > CALL_ANSWER_MAX_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
