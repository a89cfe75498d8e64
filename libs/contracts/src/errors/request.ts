import type { StatedError } from './entry.ts';

/** Errors of requests before an operation interprets them. */
export const requestErrors = {
  invalid_json: {
    status: 400,
    message: 'The request body is not valid JSON in UTF-8.',
    next: 'Send one JSON object encoded as UTF-8 and try again.',
    why: 'The body could not be read as JSON (RFC 8259): a syntax error, bytes that are not UTF-8, or an empty body where input is needed.',
  },
  invalid_request: {
    status: 400,
    message: 'The request does not match what this route accepts.',
    next: 'Correct what the message names and try again; the page at docs_url explains where the accepted fields are listed.',
    nextAt: {
      discovery: 'Send view=tools, or no view, and try again.',
      member_route:
        'Correct what the message names, using the fields of this route in /api/v1/openapi.json, and try again.',
      mcp: "Correct what the message names: an argument by the tool's inputSchema in the tool list, anything else in the connection's address and headers.",
      http: 'Send one well-formed HTTP/1.1 request with a Host header, whole and without long pauses, and try again.',
    },
    why: 'A field is missing, unknown, of the wrong type or out of bounds, the body is nested too deeply, or a header or query parameter has a value that is not allowed. Or the request would store one thing more of a kind than the limits of the platform allow. GET /api/v1/operations lists the fields of each operation in its inputSchema, and with view=tools in the parameters of its tool.',
  },
  request_body_too_large: {
    status: 400,
    message: 'The request body is larger than the platform accepts.',
    next: 'Send a smaller body, for example by splitting the work over several calls.',
    keepsTrace: true,
    why: 'A request body may be at most 2 MiB, unless the operator has set another limit, where it carries a payload or a long text. Elsewhere the limit follows from the longest input that is accepted, and is 64 KiB at least; the message names it.',
  },
  routine_invocation_id_required: {
    status: 400,
    message: 'A call with a routine grant needs the header x-routine-invocation-id.',
    next: 'Send the header x-routine-invocation-id with 1 to 200 characters that name this run of the job; keep the value for every call of the run.',
    nextAt: {
      mcp: "Add x-routine-invocation-id to the connection's headers: 1 to 200 characters that name this run of the job.",
    },
    why: 'Calls of one run of a job share an invocation id, so that the run counts once against the cadence of its grant.',
  },
  route_not_found: {
    status: 404,
    message: 'No route has this address.',
    next: 'Use a path from the API reference at /api/v1/openapi.json.',
    nextAt: { error_page: 'Use a code from the error catalogue at /docs/errors.' },
    why: 'The platform has no such path, or the path is misspelt. Paths are case sensitive.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This address does not take this HTTP method.',
    next: 'Use one of the methods that the Allow header of this response lists.',
    nextAt: { mcp: 'Send each message with POST; this server opens no stream.' },
    why: 'The path exists, but for other HTTP methods.',
  },
} as const satisfies Record<string, StatedError>;
