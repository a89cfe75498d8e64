import { ActionError, type Call } from '@action-platform/contracts';
import type { z } from 'zod';
import type { Bus, BusReply } from './bus.ts';
import { busHeaders } from './headers.ts';
import type { BusRequestOptions } from './request.ts';

/**
 * Makes a call of the registry and returns its output: by `Bus.query` when it only reads, else by `Bus.request`.
 * Throws ActionError: the refusal of the service that serves it, or what those throw.
 */
export async function callService<Input extends z.ZodObject, Output extends z.ZodType>(
  bus: Bus,
  call: Call<Input, Output>,
  input: z.input<Input>,
  options: BusRequestOptions,
): Promise<z.output<Output>> {
  const body = JSON.stringify(input);
  const isRead = call.effect === 'read';
  const reply = await (isRead
    ? bus.query(call.subject, body, options)
    : bus.request(call.subject, body, options));
  const value = parse(await wholeText(reply));
  if (reply.status === 200 && value !== undefined) return value as z.output<Output>;
  const retryAfter = Number(reply.header(busHeaders.retryAfter)) || undefined;
  throw (
    ActionError.fromEnvelope(value, retryAfter) ??
    new ActionError(isRead ? 'action_platform_unavailable' : 'action_infrastructure_failure')
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
