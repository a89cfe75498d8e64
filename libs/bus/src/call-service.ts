import { ActionError, busHeaders, type Call } from '@action-platform/contracts';
import type { z } from 'zod';
import type { Bus } from './bus.ts';
import type { BusReply, BusRequestOptions } from './question.ts';

/**
 * Makes a call of the registry and returns its output. Throws ActionError: the refusal of the service that serves it,
 * or what `Bus.request` throws.
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
  const retryAfter = Number(reply.header(busHeaders.retryAfter)) || undefined;
  throw (
    ActionError.fromEnvelope(value, retryAfter) ??
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

async function wholeText(reply: BusReply): Promise<string> {
  if (reply.more === undefined) return new TextDecoder().decode(reply.body);
  return Buffer.concat([reply.body, ...(await Array.fromAsync(reply.more))]).toString();
}
