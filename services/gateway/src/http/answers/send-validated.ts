import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { HttpAnswer } from './http-answer.ts';
import { send } from './send.ts';
import { heedValidator } from './static-file.ts';

/** How many compressed answers are cached, and of how many bytes before that. */
const COMPRESSED_KEPT = { max: 128, maxSize: 32 * 1024 * 1024 };

/**
 * Sends answers that are the same for many callers and have a validator (`ETag`): 304 to callers with the current one (RFC 9110,
 * section 13.1.2), else compressed for callers that accept that. A thread of its own compresses each once. Only private caches
 * may store it, and they revalidate it each time.
 */
export function sendValidated(compress: (body: Uint8Array) => Promise<Uint8Array> = promisify(gzip)) {
  const compressed = new LRUCache<string, Promise<Uint8Array>>(COMPRESSED_KEPT);
  return async (request: Request, response: Response, answer: HttpAnswer): Promise<void> => {
    const { ETag: etag } = answer.headers;
    if (etag === undefined) return send(request, response, answer);
    response.set({ ETag: etag, 'Cache-Control': 'private, no-cache' }).vary('Accept-Encoding');
    heedValidator(request);
    if (request.fresh) return send(request, response, { status: 304, headers: {}, body: new Uint8Array() });
    if (request.acceptsEncodings('gzip', 'identity') !== 'gzip') return send(request, response, answer);
    let body = compressed.get(etag);
    if (body === undefined) {
      body = compress(answer.body);
      compressed.set(etag, body, { size: answer.body.length });
      // A failure is not cached: the next request compresses again.
      body.catch(() => compressed.delete(etag));
    }
    const headers = { ...answer.headers, 'Content-Encoding': 'gzip' };
    return send(request, response, { ...answer, headers, body: await body });
  };
}
