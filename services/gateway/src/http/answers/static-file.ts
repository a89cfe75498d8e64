import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** A short hash of content: for validators (`ETag`), and for URLs of immutable content. */
export function versionOf(content: Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 16);
}

/** A file that is the same for every caller until the next deployment. */
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

/**
 * Answers with a file, or with 304 to a caller that has it (RFC 9110, section 13.1.2). The validator is weak, as the compressed and
 * the plain form share it.
 */
export function answerWithFile(request: Request, response: Response, file: StaticFile): void {
  heedValidator(request);
  response.vary('Accept-Encoding');
  response.set({ 'Content-Type': file.type, ETag: `W/"${file.version}"` });
  const compressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (compressed) response.set('Content-Encoding', 'gzip');
  response.send(compressed ? file.gzipped : file.bytes);
}

/**
 * Makes Express heed `If-None-Match` beside `Cache-Control: no-cache`, which `fetch` adds to every such request (Fetch,
 * "HTTP-network-or-cache fetch"). The directive is for caches on the way (RFC 9111, section 5.2.1.4); Express would send everything again.
 */
export function heedValidator({ headers }: IncomingMessage): void {
  if (headers['if-none-match'] !== undefined) headers['cache-control'] = undefined;
}
