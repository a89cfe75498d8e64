import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { send } from './send.ts';

const gzipInBackground = promisify(gzip);

/** A short hash of content: for validators (`ETag`), and for URLs of immutable content. */
function versionOf(content: Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 16);
}

/** A file that is the same for many callers. */
export interface StaticFile {
  /** The media type, with the charset. */
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
  /** Changes with the content. */
  readonly version: string;
}

/** Compresses content once, and computes its version. */
export function staticFile(type: string, content: string | Buffer): StaticFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { type, bytes, gzipped: gzipSync(bytes), version: versionOf(bytes) };
}

/** As {@link staticFile}, compressed by a thread of its own: other requests go on meanwhile. */
export async function fileInBackground(type: string, content: string): Promise<StaticFile> {
  const bytes = Buffer.from(content);
  return { type, bytes, gzipped: await gzipInBackground(bytes), version: versionOf(bytes) };
}

/**
 * Answers with a file, or with 304 to a caller that has it (RFC 9110, section 13.1.2). The validator is weak, as the compressed and
 * the plain form share it.
 *
 * @param cacheControl who may keep it; nobody without one.
 */
export async function answerWithFile(
  request: Request,
  response: Response,
  { type, bytes, gzipped, version }: StaticFile,
  cacheControl?: string,
): Promise<void> {
  if (cacheControl !== undefined) response.set('Cache-Control', cacheControl);
  response.vary('Accept-Encoding').set('ETag', `W/"${version}"`);
  heedValidator(request);
  if (request.fresh) return send(request, response, { status: 304, headers: {}, body: new Uint8Array() });
  const isCompressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isCompressed) response.set('Content-Encoding', 'gzip');
  const body = isCompressed ? gzipped : bytes;
  return send(request, response, { status: response.statusCode, headers: { 'Content-Type': type }, body });
}

/**
 * Makes Express heed `If-None-Match` beside `Cache-Control: no-cache`, which `fetch` adds to every such request (Fetch,
 * "HTTP-network-or-cache fetch"). The directive is for caches on the way (RFC 9111, section 5.2.1.4); Express would send everything again.
 */
function heedValidator({ headers }: IncomingMessage): void {
  if (headers['if-none-match'] !== undefined) headers['cache-control'] = undefined;
}
