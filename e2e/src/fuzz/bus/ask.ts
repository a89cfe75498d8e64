import { setTimeout as delay } from 'node:timers/promises';
import type { RawConnection, RawMessage } from '@action-platform/bus/raw-connection';
import { busHeaders } from '@action-platform/contracts';
import { filled, type Placeholders } from '../environment/placeholders.ts';
import { judgeAnswer } from '../http/judge.ts';
import { requireThat } from '../target.ts';
import { type BusQuestion, type Envelope, envelopeOf, isServedFor } from './questions.ts';

/** Longer than a service may take to answer, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Asks a service, and @throws Finding when there is no answer, or not one that a service gives. */
export async function askService(
  bus: RawConnection,
  question: BusQuestion,
  placeholders: Placeholders,
): Promise<void> {
  const fill = (text: string) => filled(text, placeholders);
  const headers = question.headers.map(([name, value]) => [name, fill(value)] as const);
  const body = Buffer.from(fill(question.body), 'latin1');
  if (question.reply !== null) {
    bus.publish(question.subject, { headers, body, reply: question.reply });
    return;
  }
  const answered = Promise.withResolvers<RawMessage | undefined>();
  const inbox = bus.inbox(answered.resolve);
  const timer = setTimeout(answered.resolve, PATIENCE_MS, undefined);
  try {
    const isSent = bus.publish(question.subject, { headers, body, reply: inbox.subject });
    if (!isSent || !isServedFor(question)) return await bus.flush();
    const answer = await answered.promise;
    requireThat(answer !== undefined, `${question.subject} does not answer`);
    if (headers.some(([name]) => name === busHeaders.batch)) {
      requireThat(isNothing(answer), `${question.subject} takes for several questions what is none`);
      return;
    }
    judge(answer, question, envelopeOf(question.subject, headers));
    if (answer.reply !== undefined) await goOn(bus, answer.reply, inbox.subject, question.goOn);
  } finally {
    clearTimeout(timer);
    inbox.close();
  }
}

/** What is answered when a message says that it is several questions, and cannot be read as that. */
function isNothing({ headers, body, reply }: RawMessage): boolean {
  return headers.length === 0 && body.length === 0 && reply === undefined;
}

function judge(
  { headers, body, reply }: RawMessage,
  { subject, as }: BusQuestion,
  { hasCaller, isSound }: Envelope,
): void {
  const header = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  requireThat(header('nats') === undefined, `nobody serves ${subject} for ${as}`);
  const status = Number(header(busHeaders.status));
  requireThat(Number.isInteger(status), `${subject} answers without a status`);
  const text = Buffer.from(body).toString();
  requireThat(hasCaller || status !== 200, `${subject} does something for a caller who is nobody`);
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
  requireThat(status < 500 || !isSound, `${subject}, which is well, answers ${text.slice(0, 300)}`);
}

/** What a receiver may say to a sender who has more; whatever it is, the sender must get over it. */
async function goOn(
  bus: RawConnection,
  demands: string,
  inbox: string,
  how: BusQuestion['goOn'],
): Promise<void> {
  if (how === 'demand') bus.publish(demands, { reply: `${inbox}.1` });
  if (how === 'nonsense') bus.publish(demands, { reply: 'op.mail.mail.send_email', body: Buffer.from('x') });
  await delay(5);
  bus.publish(`${demands}.9`, { headers: [[busHeaders.cancel, 'true']] });
}
