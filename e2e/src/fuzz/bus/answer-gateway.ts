import { busHeaders } from '@action-platform/contracts';
import { judgeAnswer } from '../http/judge.ts';
import { type RawAnswer, rawAnswers } from '../http/raw-answers.ts';
import { talk } from '../http/talk.ts';
import { Finding, requireThat } from '../target.ts';
import { type BusAnswers, requests, type Told } from './answers.ts';
import type { LonelyGateway } from './lonely-gateway.ts';
import type { StandInServices } from './stand-in-services.ts';

let counter = 0;

/** Makes a request whose questions are answered as the input says; @throws Finding when its own answer is none to give. */
export async function answerGateway(
  gateway: LonelyGateway,
  services: StandInServices,
  input: BusAnswers,
): Promise<void> {
  const requestId = `fuzz-${++counter}`;
  const { method, path, body, effect } = requests[input.request];
  services.expect(requestId, input);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: gateway',
    `Authorization: Bearer ${gateway.token}`,
    `x-request-id: ${requestId}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  try {
    const received = await talk(gateway.url, {
      writes: [`${lines.join('\r\n')}\r\n\r\n${body}`],
      isWhole: true,
    });
    const answer = wholeAnswer(received, input.outcome);
    if (answer !== undefined) judge(answer, input, effect === 'write' && services.asked.has(requestId));
  } finally {
    services.forget(requestId);
  }
}

/** The answer; undefined when it broke off in the middle, as one does whose service fails while it sends more. */
function wholeAnswer(received: Buffer, outcome: Told): RawAnswer | undefined {
  try {
    const answers = rawAnswers(received, false);
    requireThat(answers.length === 1, `one request gets ${answers.length} answers`);
    return answers[0];
  } catch (finding) {
    if (finding instanceof Finding && hasMore(outcome) && received.length > 0) return undefined;
    throw finding;
  }
}

/** What services say is passed on as it is; what they do not say, or cannot have said, is the gateway's own to tell. */
function judge(answer: RawAnswer, { authority, outcome }: BusAnswers, isWriteAsked: boolean): void {
  const isPassedOn = bodyOf(authority) === answer.body || hasMore(outcome) || bodyOf(outcome) === answer.body;
  requireThat(answer.headers['x-request-id'] !== undefined, 'an answer without x-request-id');
  requireThat(answer.status >= 200 && answer.status < 600, `status ${answer.status}`);
  if (isPassedOn) return;
  const code = judgeAnswer(answer);
  requireThat(
    !isWriteAsked || code !== 'action_platform_unavailable',
    'a write that was asked for is answered as if nothing was done',
  );
}

function hasMore({ headers }: Told): boolean {
  return headers.some(([name]) => name.toLowerCase() === busHeaders.more);
}

function bodyOf({ body }: Told): string {
  return Buffer.from(body, 'latin1').toString();
}
