import type { StatedError } from './entry.ts';

/** Failures of the platform, and unknown operations. */
export const platformErrors = {
  unknown_operation: {
    status: 404,
    message: 'No operation has this id.',
    next: 'Call an operation or a tool by its exact name in your list of them; the page at docs_url explains how to get the list.',
    nextAt: { mcp: 'Call a tool by its exact name in the tool list.' },
    why: 'The operation id in the path is misspelt, or was never offered. GET /api/v1/operations lists the ids; with view=tools, the names of tools, which have __ in the place of the dot of the id.',
  },
  action_infrastructure_failure: {
    status: 502,
    message: 'The platform lost track of this call; its outcome is unknown.',
    next: 'Repeat the call with the same idempotency key and the same input: if it took effect, the first outcome is returned.',
    nextAt: {
      keyless_operation:
        'Repeat the call with the same input: if it took effect, the second time changes nothing.',
      mcp: 'Repeat the call with the same idempotency_key and the same arguments: if it took effect, the first outcome is returned.',
      keyless_tool:
        'Repeat the call with the same arguments: if it took effect, the second time changes nothing.',
      member_route:
        'Repeat the request; when it creates something, with the same idempotencyKey and input: if it took effect, the same thing is returned, with a fresh secret.',
    },
    why: 'A part of the platform stopped answering after the call had been handed to it.',
  },
  action_platform_unavailable: {
    status: 503,
    message: 'The platform cannot take this call now; nothing was done.',
    next: 'Wait for the number of seconds in the Retry-After header and repeat the call as it is.',
    nextAt: { mcp: 'Wait {seconds} seconds and repeat the call as it is.' },
    retryAfter: 1,
    why: 'A part of the platform that this call needs is not running, is starting, or is at its limit.',
  },
} as const satisfies Record<string, StatedError>;
