import { busHeaders } from '@action-platform/contracts/bus';
import {
  type ErrorCode,
  type ErrorEntry,
  errorCatalogue,
  freshSignInChallenge,
} from '@action-platform/contracts/errors';
import type { Route } from '@action-platform/contracts/routes';
import { idempotencyKeyField } from '@action-platform/contracts/schema';

/** The responses of a route with one status; `codes` are its errors. */
interface Responses {
  readonly route: Route;
  readonly status: number;
  readonly codes: readonly ErrorCode[];
  readonly mayBeUnknown?: boolean | undefined;
}

interface DocumentedHeader {
  readonly name: string;
  isSentWith(responses: Responses): boolean;
  readonly object: object;
}

const text = { type: 'string' } as const;
const naming =
  (named: ErrorEntry['names']) =>
  ({ codes }: Responses) =>
    codes.some((code) => errorCatalogue[code].names === named);
const ofDeprecated = ({ route }: Responses) => route.deprecation !== undefined;

const documented: Readonly<Record<string, DocumentedHeader>> = {
  RequestId: {
    name: 'x-request-id',
    isSentWith: () => true,
    object: {
      description: "The request's id, in errors also requestId.",
      required: true,
      schema: text,
      example: 'req_4bf92f3577b34da6a3ce929d0e0e4736',
    },
  },
  RetryAfter: {
    name: 'Retry-After',
    isSentWith: ({ status, codes, mayBeUnknown }) =>
      status === 503 ||
      codes.some((code) => errorCatalogue[code].retryAfter !== undefined) ||
      codes.includes('grant_cadence_exceeded') ||
      mayBeUnknown === true,
    object: {
      description:
        'Seconds after which trying again makes sense (RFC 9110, section 10.2.3): with every 503, with grant_cadence_exceeded and operation_approval_required, and with a result whose status is unknown.',
      schema: { type: 'integer', minimum: 0 },
      example: 1,
    },
  },
  OperationApprovalId: {
    name: busHeaders.approvalId,
    isSentWith: naming('approval'),
    object: {
      description:
        'With operation_approval_required and operation_approval_rejected: the approval that the call waits for, or that rejected it.',
      schema: text,
      example: 'apv_0198f2d0c4b17a3e9d51c2aa40e7b6f3',
    },
  },
  RecordId: {
    name: busHeaders.recordId,
    isSentWith: naming('record'),
    object: {
      description: 'With an error about a Record that the caller may see: its id.',
      schema: text,
      example: 'rec_0198f2d0c4b17a3e9d51c2aa40e7b6f3',
    },
  },
  WwwAuthenticate: {
    name: 'WWW-Authenticate',
    isSentWith: ({ status, codes }) => status === 401 && !codes.includes('fresh_sign_in_required'),
    object: {
      description: 'How to authenticate (RFC 6750, section 3).',
      required: true,
      schema: { type: 'string', const: 'Bearer' },
    },
  },
  FreshSignIn: {
    name: 'WWW-Authenticate',
    isSentWith: ({ codes }) => codes.includes('fresh_sign_in_required'),
    object: {
      description:
        'How to authenticate (RFC 6750, section 3), and with fresh_sign_in_required how lately (RFC 9470, section 3).',
      required: true,
      schema: { type: 'string', enum: ['Bearer', freshSignInChallenge] },
    },
  },
  IdempotentReplayed: {
    name: 'Idempotent-Replayed',
    isSentWith: ({ route, status }) =>
      status < 400 &&
      route.requestBody !== undefined &&
      idempotencyKeyField(route.requestBody.schema) !== undefined,
    object: {
      description: 'Present when the response repeats the first outcome of the idempotency key.',
      schema: { type: 'string', const: 'true' },
    },
  },
  Deprecation: {
    name: 'Deprecation',
    isSentWith: ofDeprecated,
    object: {
      description: 'The date of the deprecation (RFC 9745): @ and seconds since the epoch.',
      schema: { type: 'string', pattern: '^@\\d+$' },
    },
  },
  Sunset: {
    name: 'Sunset',
    isSentWith: ofDeprecated,
    object: { description: 'When the operation ends (RFC 8594): an HTTP date.', schema: text },
  },
  Link: {
    name: 'Link',
    isSentWith: ofDeprecated,
    object: {
      description:
        'The documentation (rel="deprecation" and rel="sunset") and the replacement (rel="successor-version").',
      schema: text,
    },
  },
  ETag: {
    name: 'ETag',
    isSentWith: ({ route, status }) => status < 400 && route.isCacheable === true,
    object: { description: 'Send it as If-None-Match to get 304 while it holds.', schema: text },
  },
};

/** The headers that responses of these paths refer to, for `components.headers`. */
export function headerComponentsOf(paths: object): Readonly<Record<string, object>> {
  const text = JSON.stringify(paths);
  const used = Object.entries(documented).filter(([component]) => text.includes(`"${pointerTo(component)}"`));
  return Object.fromEntries(used.map(([component, { object }]) => [component, object]));
}

/** The headers of these responses, by name. */
export function responseHeaders(responses: Responses): Readonly<Record<string, object>> {
  const sent = Object.entries(documented).filter(([, { isSentWith }]) => isSentWith(responses));
  return Object.fromEntries(sent.map(([component, { name }]) => [name, { $ref: pointerTo(component) }]));
}

function pointerTo(component: string): string {
  return `#/components/headers/${component}`;
}
