import { setTimeout as delay } from 'node:timers/promises';
import type { RawConnection, RawMessage } from '@action-platform/bus/raw-connection';
import { busHeaders } from '@action-platform/contracts';
import { filled, type Placeholders } from '../environment/placeholders.ts';
import { judgeAnswer } from '../http/judge.ts';
import { requireThat } from '../target.ts';
import { type BusRequest, type Envelope, envelopeOf, isServedFor } from './bus-requests.ts';

/** Longer than a service may take to answer, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Sends a request to a service. @throws Finding when the answer is missing or invalid */
export async function askService(
  bus: RawConnection,
  request: BusRequest,
  placeholders: Placeholders,
): Promise<void> {
  const fill = (text: string) => filled(text, placeholders);
  const headers = request.headers.map(([name, value]) => [name, fill(value)] as const);
  const body = Buffer.from(fill(request.body), 'latin1');
  if (request.reply !== null) {
    bus.publish(request.subject, { headers, body, reply: request.reply });
    return;
  }
  const answered = Promise.withResolvers<RawMessage | undefined>();
  const inbox = bus.inbox(answered.resolve);
  const timer = setTimeout(answered.resolve, TIMEOUT_MS, undefined);
  try {
    const isSent = bus.publish(request.subject, { headers, body, reply: inbox.subject });
    if (!isSent || !isServedFor(request)) return await bus.flush();
    const answer = await answered.promise;
    requireThat(answer !== undefined, `${request.subject} does not answer`);
    if (headers.some(([name]) => name === busHeaders.batch)) {
      requireThat(isEmpty(answer), `${request.subject} accepts a malformed batch`);
      return;
    }
    judge(answer, request, envelopeOf(request.subject, headers));
    if (answer.reply !== undefined) await goOn(bus, answer.reply, inbox.subject, request.goOn);
  } finally {
    clearTimeout(timer);
    inbox.close();
  }
}

/** Whether an answer is empty, as for a malformed batch. */
function isEmpty({ headers, body, reply }: RawMessage): boolean {
  return headers.length === 0 && body.length === 0 && reply === undefined;
}

function judge(
  { headers, body, reply }: RawMessage,
  { subject, as }: BusRequest,
  { hasCaller, isSound }: Envelope,
): void {
  const header = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  requireThat(header('nats') === undefined, `no service serves ${subject} for ${as}`);
  const status = Number(header(busHeaders.status));
  requireThat(Number.isInteger(status), `${subject} answers without a status`);
  const text = Buffer.from(body).toString();
  requireThat(hasCaller || status !== 200, `${subject} succeeds without a caller`);
  if (reply !== undefined || status < 400) {
    requireThat(status === 200, `${subject} answers ${status}`);
    return;
  }
  const { error } = JSON.parse(text) as { error: { requestId: string } };
  judgeAnswer({
    status,
    headers: { 'x-request-id': error.requestId, 'retry-after': header(busHeaders.retryAfter) ?? '' },
    body: text,
  });
  requireThat(status < 500 || !isSound, `${subject} answers a valid request with ${text.slice(0, 300)}`);
}

/** Sends credit or nonsense for a long answer, then cancels it; the sender must survive either. */
async function goOn(
  bus: RawConnection,
  creditSubject: string,
  inbox: string,
  how: BusRequest['goOn'],
): Promise<void> {
  if (how === 'credit') bus.publish(creditSubject, { reply: `${inbox}.1` });
  if (how === 'nonsense')
    bus.publish(creditSubject, { reply: 'op.mail.mail.send_email', body: Buffer.from('x') });
  await delay(5);
  bus.publish(`${creditSubject}.9`, { headers: [[busHeaders.cancel, 'true']] });
}
