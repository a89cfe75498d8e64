import type { IncomingMessage, RequestListener } from 'node:http';
import { errorAnswer } from '../dispatch/answer.ts';
import type { Door } from '../dispatch/door.ts';
import { COMMON_HEADERS, requestIdOf } from './exchange.ts';
import type { Measurements } from './measure.ts';

/** A body that is no larger is read to nowhere when its caller is turned away, in bytes. */
const SMALL_BODY_BYTES = 64 * 1024;

/** Answers callers for whom the door has no place before anything else is done for their request; hands on all others. */
export function turningAway(
  { door, measurements }: { readonly door: Door; readonly measurements: Measurements },
  handler: RequestListener,
): RequestListener {
  return (request, response) => {
    const refusal = hasSmallBody(request) ? door.turnsAway(request.headers.authorization) : undefined;
    if (refusal === undefined) {
      handler(request, response);
      return;
    }
    measurements.turnedAway();
    const requestId = requestIdOf(request);
    const { status, headers, body } = errorAnswer(refusal, requestId, 'http');
    response.statusCode = status;
    for (const [name, value] of [...Object.entries(headers), ...COMMON_HEADERS])
      response.setHeader(name, value);
    response.setHeader('x-request-id', requestId);
    response.end(body);
  };
}

function hasSmallBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    Number(headers['content-length'] ?? 0) <= SMALL_BODY_BYTES
  );
}
