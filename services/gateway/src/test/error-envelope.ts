import { type ErrorBody, type ErrorCode, errorCatalogue } from '@action-platform/contracts/errors';
import { expect } from '@jest/globals';

const FIELDS = ['code', 'docs_url', 'message', 'next', 'recoverable', 'requestId'];

/** A received refusal, with the request id of the header. */
interface Refused {
  readonly status: number;
  readonly requestId: string | null | undefined;
  readonly body: unknown;
}

/** Expects the error envelope of a code: its status, exactly six fields, and the request id of the header. */
export function expectEnvelope({ status, requestId, body }: Refused, code: ErrorCode): ErrorBody {
  const { error } = body as { error: ErrorBody };
  expect({ status, code: error?.code }).toEqual({ status: errorCatalogue[code].status, code });
  expect(Object.keys(body as object)).toEqual(['error']);
  expect(Object.keys(error).sort()).toEqual(FIELDS);
  expect(error.requestId).toBe(requestId);
  expect(error.docs_url).toBe(`/docs/errors/${code}`);
  return error;
}
