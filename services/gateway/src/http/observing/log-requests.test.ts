import type { Logger } from '@action-platform/service-host';
import { expect, test } from '@jest/globals';
import { TraceFlags } from '@opentelemetry/api';
import type { RequestContext } from '../../dispatch/exchange.ts';
import type { ApiResponse } from '../api-response.ts';
import { logRequests } from './log-requests.ts';

/** The line of a request with this context and answer. */
function lineOf(context: RequestContext, answer: Partial<ApiResponse> = {}): object {
  const lines: object[] = [];
  const log = { isLevelEnabled: () => true, debug: (line: object) => lines.push(line) };
  const whole = { headersSent: true, statusCode: 200, writableFinished: true };
  const locals = { exchange: { requestId: 'req_1', context } };
  const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.NONE };
  const request = { method: 'POST' } as Parameters<ReturnType<typeof logRequests>>[0];
  const response = { ...whole, locals, ...answer } as ApiResponse;
  logRequests(log as unknown as Logger, 1_000)(request, response, place, 1);
  return lines[0]!;
}

test('the line of a caller that left before the answer has no status', () => {
  expect(lineOf({}, { headersSent: false, writableFinished: false })).toMatchObject({
    status: undefined,
    code: 'caller_left',
  });
  expect(lineOf({}, { writableFinished: false })).toMatchObject({ status: 200, code: 'broken_off' });
  expect(lineOf({ isStream: true }, { writableFinished: false })).toMatchObject({ status: 200, code: 'ok' });
  expect(lineOf({})).toMatchObject({ status: 200, code: 'ok' });
});

test('the line names the caller, also of a call that a rule may hold', () => {
  const principal = { workspaceId: 'ws_1', userId: 'u', operationGrantId: 'ogr_1' };
  const caller = { workspace_id: 'ws_1', user_id: 'u', grant_id: 'ogr_1' };
  expect(lineOf({ principal: JSON.stringify(principal) })).toMatchObject(caller);
  const held = JSON.stringify({ subjectToApproval: principal, rules: [0] });
  expect(lineOf({ principal: held })).toMatchObject(caller);
  const credential = { kind: 'session', workspaceId: 'ws_1', userId: 'u' } as const;
  expect(lineOf({ principal: 'no JSON', credential })).toMatchObject({ workspace_id: 'ws_1', user_id: 'u' });
});
