import { busHeaders } from '@action-platform/contracts/bus';
import { headers as createHeaders, type MsgHdrs } from '@nats-io/transport-node';
import { type Headers, headerTexts } from '../wire/headers.ts';

/** Makes message headers. */
export function toMessageHeaders(headers: Headers): MsgHdrs {
  const message = createHeaders();
  const texts = headerTexts(headers);
  for (const name in texts) message.append(name, texts[name]!);
  return message;
}

/** The headers of the message of a batch. */
export const batchHeaders = toMessageHeaders({ [busHeaders.batch]: 'true' });
