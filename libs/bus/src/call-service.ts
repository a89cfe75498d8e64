import { ActionError, type Call } from '@action-platform/contracts';
import type { z } from 'zod';
import type { Bus, BusReply, BusRequestOptions } from './bus.ts';
import { busHeaders } from './headers.ts';

/**
 * Makes a call of the registry and returns its output. Throws ActionError: the refusal of the service that
 * serves it, or what `Bus.request` throws.
 */
export async function callService<Input extends z.ZodObject, Output extends z.ZodType>(
  bus: Bus,
  call: Call<Input, Output>,
  input: z.input<Input>,
  options: BusRequestOptions,
): Promise<z.output<Output>> {
  const reply = await bus.request(call.subject, JSON.stringify(input), options);
  const value: unknown = JSON.parse(await wholeText(reply));
  if (reply.status === 200) return value as z.output<Output>;
  const retryAfter = Number(reply.header(busHeaders.retryAfter)) || undefined;
  throw ActionError.fromEnvelope(value, retryAfter) ?? new ActionError('action_infrastructure_failure');
}

async function wholeText(reply: BusReply): Promise<string> {
  if (reply.more === undefined) return new TextDecoder().decode(reply.body);
  return Buffer.concat([reply.body, ...(await Array.fromAsync(reply.more))]).toString();
}
