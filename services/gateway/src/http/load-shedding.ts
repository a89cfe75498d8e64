import type { IncomingMessage, RequestListener } from 'node:http';
import type { CallAdmission } from '../dispatch/admission.ts';
import { COMMON_HEADERS, errorAnswer } from './answers/http-answer.ts';
import { idsOf } from './begin-exchange.ts';
import type { Measurements } from './observing/measure.ts';
import { routeKindAt } from './route-kind.ts';

/** The largest body of a refused request whose connection stays open, in bytes. */
const SMALL_BODY_BYTES = 64 * 1024;

/** Refuses requests beyond the concurrency limit before any other work on them, and passes on all others. */
export function sheddingLoad(
  { admission, measurements }: { readonly admission: CallAdmission; readonly measurements: Measurements },
  handler: RequestListener,
): RequestListener {
  return (request, response) => {
    let requestId = '';
    const makeIds = () => {
      const ids = idsOf(request);
      requestId = ids.requestId;
      return ids;
    };
    const shed = hasSmallBody(request) ? admission.shed(request.headers.authorization, makeIds) : undefined;
    if (shed === undefined) {
      handler(request, response);
      return;
    }
    const { refusal } = shed;
    measurements.shed(shed);
    const { status, headers, body } = errorAnswer(refusal, requestId, routeKindAt(pathOf(request)));
    response.statusCode = status;
    for (const [name, value] of [...Object.entries(headers), ...COMMON_HEADERS])
      response.setHeader(name, value);
    response.setHeader('x-request-id', requestId);
    response.end(body);
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0]!;
}

function hasSmallBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    Number(headers['content-length'] ?? 0) <= SMALL_BODY_BYTES
  );
}
