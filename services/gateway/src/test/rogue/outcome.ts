import { type ErrorCode, failureOf, type Operation } from '@action-platform/contracts';
import { expect } from '@jest/globals';
import { expectEnvelope } from '../error-envelope.ts';

/** What became of a call: an answer, or a connection that was broken off before the answer was whole. */
export type Outcome =
  | { readonly status: number; readonly headers: Headers; readonly text: string }
  | 'broken off';

/** Resolves when it is known what became of a call. */
export async function outcomeOf(asked: Promise<Response>): Promise<Outcome> {
  try {
    const response = await asked;
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return 'broken off';
  }
}

/** The headers that an answer of an operation may carry, whatever its service sends. */
const KNOWN_HEADERS = [
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'idempotent-replayed',
  'keep-alive',
  'retry-after',
  'transfer-encoding',
  'www-authenticate',
  'x-content-type-options',
  'x-request-id',
];

/** Expects the whole answer of a call, with no header but those that the contract names. */
export function expectAnswer(outcome: Outcome): Exclude<Outcome, string> {
  if (outcome === 'broken off') throw new Error('The answer was broken off.');
  const { headers } = outcome;
  expect([...headers.keys()].filter((name) => !KNOWN_HEADERS.includes(name))).toEqual([]);
  expect(headers.get('retry-after') ?? '1').toMatch(/^\d{1,9}$/);
  expect(headers.get('idempotent-replayed') ?? 'true').toBe('true');
  return outcome;
}

/** Expects the error envelope of a code, made for this very call. */
export function expectRefusal(outcome: Outcome, code: ErrorCode): void {
  const { status, headers, text } = expectAnswer(outcome);
  expectEnvelope({ status, requestId: headers.get('x-request-id'), body: JSON.parse(text) }, code);
  expect(headers.has('retry-after')).toBe(status === 503);
}

/** Expects that every call failed as the contract says of its operation. */
export function expectFailures(calls: readonly (readonly [Operation, Outcome])[]): void {
  for (const [{ effect }, outcome] of calls) expectRefusal(outcome, failureOf(effect));
}
