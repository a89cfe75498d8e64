import type { StatedError } from './entry.ts';

/** Errors of custom operations. */
export const customOperationErrors = {
  custom_operation_not_found: {
    status: 404,
    message: 'The Workspace has no custom operation with this id.',
    next: 'List the custom operations with GET /api/v1/custom-operations, and use an id from there.',
    why: 'The id is wrong, or it belongs to another Workspace.',
  },
  connector_not_found: {
    status: 404,
    message: 'The Workspace has no connector with this name.',
    next: 'List the connectors with GET /api/v1/connectors, and use a name from there.',
    why: 'The name is wrong, or it belongs to another Workspace.',
  },
  custom_idempotency_conflict: {
    status: 400,
    message: 'This idempotency key was already used with other input.',
    next: 'Use a new idempotency_key for a new effect; to learn the first outcome, repeat the first input with this key.',
    why: 'A key names one effect of one operation for its caller, so that a retry can never cause a second one.',
  },
  custom_operation_refused: {
    status: 400,
    message: 'The endpoint of the operation refused the call.',
    next: 'Read the message, correct the input, and call again, a write with another idempotency key. When the input is right, repeat the call as it is once the endpoint works.',
    why: 'The operation belongs to the company whose Workspace this is. Its endpoint answered with an error: a code that begins with custom_ is its own, any other answer with a status of 400 to 499 has this code.',
  },
  custom_endpoint_failed: {
    status: 502,
    message: 'The endpoint of the operation gave no usable answer; the outcome is unknown.',
    next: 'Repeat the call with the same idempotency key and the same input: the endpoint gets the same key, and a recorded outcome is returned. If the message says that the request is sent once, look at the endpoint first: a call that was not done takes a new key.',
    nextAt: {
      mcp: 'Repeat the call with the same idempotency_key and the same arguments: the endpoint gets the same key, and a recorded outcome is returned. If the message says that the request is sent once, look at the endpoint first: a call that was not done takes a new key.',
    },
    keepsTrace: true,
    why: 'The endpoint of the company did not answer in time, broke the connection off, failed, redirected, or answered with something else than it should within the limits: the message names the cause. It may have done its work.',
  },
  custom_endpoint_unavailable: {
    status: 503,
    message: 'The endpoint of the operation cannot be reached now; nothing was done.',
    next: 'Wait for the number of seconds in the Retry-After header and repeat the call as it is.',
    nextAt: { mcp: 'Wait {seconds} seconds and repeat the call as it is.' },
    retryAfter: 1,
    keepsTrace: true,
    why: 'The endpoint of the company took no connection, refused more calls for the moment, or has too many under way: the message names the cause. A read has this code after every failure of the endpoint.',
  },
} as const satisfies Record<string, StatedError>;
