import {
  busHeaders,
  discover,
  getRecord,
  grantRoutes,
  type Principal,
  pushRecord,
} from '@action-platform/contracts';
import type { Headers, Message } from './message.ts';

/** One message of a service's answer. */
export interface AnswerMessage extends Message {
  /** Whether it names a subject for credit for more of the answer. */
  readonly asksForCredit: boolean;
}

/** An HTTP request to the gateway, and the answers of services to the bus requests that follow. */
export interface BusAnswers {
  readonly request: keyof typeof requests;
  /** The answer of grants. */
  readonly authority: AnswerMessage;
  /** The answer of the service that runs the operation. */
  readonly outcome: AnswerMessage;
  /** The answers to credit, in order. */
  readonly chunks: readonly AnswerMessage[];
}

const post = { method: 'POST', body: '{}' };
const get = { method: 'GET', body: '' };

/** Requests by their effect. */
export const requests = {
  read: { ...post, path: `/api/v1/operations/${getRecord.id}`, effect: 'read' },
  write: { ...post, path: `/api/v1/operations/${pushRecord.id}`, effect: 'write' },
  discover: { ...get, path: '/api/v1/operations', effect: discover.effect },
  'list grants': { ...get, path: grantRoutes.operation.list.path, effect: 'read' },
} as const;

/** An answer of one message. */
export function answerOf(status: string, body: string, ...headers: Headers): AnswerMessage {
  return { headers: [[busHeaders.status, status], ...headers], body, asksForCredit: false };
}

const anyPrincipal: Principal = { workspaceId: 'ws_1', userId: 'olga', role: 'owner', connections: {} };

/** Grants allows the call. */
export const granted = answerOf('200', JSON.stringify(anyPrincipal));
