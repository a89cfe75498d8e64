import { inSpan } from '@action-platform/telemetry';
import type { Body, RequestContext } from './exchange.ts';
import type { Caller } from './pipeline.ts';
import { timed } from './timed.ts';

/** Reads a body within the byte budget; one that is still arriving in a span of its own, and timed. */
export function receiveBody(
  body: Body,
  wasWhole: boolean,
  { bytes }: Caller,
  context: RequestContext,
): Promise<Uint8Array> {
  const read = () => body.read((length) => bytes.holdBody(length));
  return wasWhole ? read() : timed(context, 'bodyMs', () => inSpan('receive body', {}, read));
}
