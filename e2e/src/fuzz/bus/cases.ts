import {
  busHeaders,
  connectApp,
  grantRoutes,
  operationSubject,
  operations,
} from '@action-platform/contracts';
import { COLLEAGUE } from '../../workspace.ts';
import type { Fuzzed } from '../references.ts';
import { type AnswerMessage, answerOf, type BusAnswers, granted } from './answers.ts';
import type { Headers } from './message.ts';
import type { BusRequest } from './services.ts';

/*
 * Messages that once did harm, each with what it caused. Every run repeats them.
 */

const answers = (
  request: BusAnswers['request'],
  authority: AnswerMessage,
  outcome: AnswerMessage = granted,
  chunks: BusAnswers['chunks'] = [],
): BusAnswers => ({ request, authority, outcome, chunks });

const { chunk, more, retryAfter } = busHeaders;
const unavailable = '{"error":{"code":"action_platform_unavailable","message":"m"}}';
const withoutBody: AnswerMessage = { ...answerOf('204', '{}', [more, 'true']), asksForCredit: true };
const nextChunk: Headers = [
  [chunk, '1'],
  [more, 'true'],
];

/** Answers of services to a gateway. */
export const answerCases: readonly BusAnswers[] = [
  // The gateway sent no answer when a long answer had a status that has no body.
  answers('read', granted, withoutBody, [{ ...granted, headers: nextChunk }]),
  // The gateway sent no answer when a service answered with a status outside of HTTP.
  answers('write', granted, answerOf('99', '{}')),
  // The gateway crashed when it logged the caller of a failed call, because the principal was not JSON.
  answers('read', answerOf('200', '<!DOCTYPE html>'), answerOf('99', '{}')),
  // The gateway passed on a Retry-After that was not a number of seconds.
  answers('discover', answerOf('503', unavailable, [retryAfter, '0.5'])),
  // The gateway answered a write as if it had no effect, because HTTP forbids a header of the service's answer.
  answers('write', granted, answerOf('200', '{"result":{}}', [retryAfter, '"a\\r\\nb: c"'])),
];

/** The headers of every request. */
const commonHeaders: Headers = [
  [busHeaders.requestId, 'fuzz'],
  [busHeaders.traceparent, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'],
  [busHeaders.timeoutMs, '20000'],
];

/** Requests to services. */
export function requestCases({ workspace: { id } }: Fuzzed): readonly BusRequest[] {
  const request = (subject: string, headers: Headers, sent: Partial<BusRequest> = {}): BusRequest => ({
    ...{ as: 'gateway', subject, headers, body: '{}', isSound: false },
    ...sent,
  });
  const operation = (name: string, principal: string) =>
    request(operationSubject(operations.get(name)!), [...commonHeaders, [busHeaders.principal, principal]]);
  const query = '{"workspaceId":{"$ne":""},"userId":{"$ne":""},"role":"owner","connections":{}}';
  const withoutTimeout = commonHeaders.filter(([name]) => name !== busHeaders.timeoutMs);
  const mailbox = { workspace: id, user: COLLEAGUE, app: 'mail_suite', email: 'paul@example.com' };
  return [
    // Grants failed and logged an error when a message had no session.
    request(grantRoutes.operation.list.subject, commonHeaders),
    // A service used a principal with MongoDB query operators in a query.
    operation('record_store.list_collections', query),
    // A service answered without a status when the principal of a call was not JSON.
    operation('knowledge.list_visible_files', '{'),
    // A service gave another one a millisecond to answer when the time limit of its caller was beyond the range of timers.
    request(connectApp.subject, [...withoutTimeout, [busHeaders.timeoutMs, '99999999999999']], {
      ...{ as: 'admin', body: JSON.stringify(mailbox), isSound: true },
    }),
  ];
}
