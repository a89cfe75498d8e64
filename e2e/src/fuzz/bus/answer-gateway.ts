import { busHeaders } from '@action-platform/contracts';
import { judgeAnswer } from '../http/judge.ts';
import { type RawAnswer, rawAnswers } from '../http/raw-answers.ts';
import { talk } from '../http/talk.ts';
import { Finding, requireThat } from '../target.ts';
import { type AnswerMessage, type BusAnswers, requests } from './answers.ts';
import type { IsolatedGateway } from './isolated-gateway.ts';
import type { StandInServices } from './stand-in-services.ts';

let counter = 0;

/** Sends an HTTP request while stand-ins answer the gateway's bus requests with the input. @throws Finding for an invalid HTTP answer */
export async function answerGateway(
  gateway: IsolatedGateway,
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

/** The answer; undefined when it ended early, as it does when a service fails in the middle of a long answer. */
function wholeAnswer(received: Buffer, outcome: AnswerMessage): RawAnswer | undefined {
  try {
    const answers = rawAnswers(received, false);
    requireThat(answers.length === 1, `one request gets ${answers.length} answers`);
    return answers[0];
  } catch (finding) {
    if (finding instanceof Finding && hasMore(outcome) && received.length > 0) return undefined;
    throw finding;
  }
}

/** The gateway passes answers of services on unchanged. Without a valid answer it sends an error of its own. */
function judge(answer: RawAnswer, { authority, outcome }: BusAnswers, isWriteAsked: boolean): void {
  const isPassedOn = bodyOf(authority) === answer.body || hasMore(outcome) || bodyOf(outcome) === answer.body;
  requireThat(answer.headers['x-request-id'] !== undefined, 'an answer without x-request-id');
  requireThat(answer.status >= 200 && answer.status < 600, `status ${answer.status}`);
  if (isPassedOn) return;
  const code = judgeAnswer(answer);
  requireThat(
    !isWriteAsked || code !== 'action_platform_unavailable',
    'the gateway answers a write that it sent as if it had no effect',
  );
}

function hasMore({ headers }: AnswerMessage): boolean {
  return headers.some(([name]) => name.toLowerCase() === busHeaders.more);
}

function bodyOf({ body }: AnswerMessage): string {
  return Buffer.from(body, 'latin1').toString();
}
