import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '@action-platform/testing';

/** How a request for a page fails: an error of S3, or an answer that ends in its middle, or never. */
export type PageFailure = { readonly status: number; readonly code: string } | 'cut' | 'endless';

/** How much of an endless answer is sent before it stops, in bytes; nobody should read so much. */
const ENDLESS_BYTES = 64 * 1024 * 1024;

/**
 * A server that lists one bucket and returns its objects as Amazon documents it (API reference, ListObjectsV2, HeadObject, GetObject), with
 * failures on request. `BucketStandIn` checks no signature: the tests on a real server do.
 */
export class BucketStandIn {
  pageLength!: number;
  /** The failure of a page, by the number of pages of the pass before it. */
  failureOf!: (page: number) => PageFailure | undefined;
  /** Changes a page before it is sent. */
  alter!: (xml: string, page: number) => string;
  /** Runs at a request for an object; returns its failure. */
  onObject!: (method: string) => PageFailure | undefined;
  /** The contents of the objects that have any, by key. */
  readonly contents = new Map<string, Buffer>();
  /** The number of begun passes. */
  passes = 0;
  url = '';
  #keys: readonly string[] = [];
  readonly #server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, this.url);
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    if (key === '') this.#answer(searchParams, response);
    else this.#answerObject(key, request, response);
  });

  constructor() {
    this.reset();
  }

  /** The keys of the bucket, which may be set in any order. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  set keys(keys: readonly string[]) {
    const sortable = keys.map((key) => ({ key, bytes: Buffer.from(key) }));
    this.#keys = sortable.sort((one, other) => Buffer.compare(one.bytes, other.bytes)).map(({ key }) => key);
  }

  /** Empties the bucket and ends all failures. */
  reset(): void {
    this.keys = [];
    this.pageLength = 1000;
    this.failureOf = () => undefined;
    this.onObject = () => undefined;
    this.contents.clear();
    this.alter = (xml) => xml;
  }

  async start(): Promise<void> {
    this.url = `http://127.0.0.1:${await listen(this.#server)}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answerObject(key: string, { method, headers }: IncomingMessage, response: ServerResponse): void {
    const content = this.#keys.includes(key) ? (this.contents.get(key) ?? Buffer.alloc(0)) : undefined;
    const etag = content && `"${hash('md5', content)}"`;
    const hasChanged = etag !== undefined && etag !== (headers['if-match'] ?? etag);
    const refusal = hasChanged
      ? { status: 412, code: 'PreconditionFailed' }
      : { status: 404, code: 'NoSuchKey' };
    const failure = this.onObject(method!);
    if (failure === 'endless') return;
    if (content === undefined || hasChanged || typeof failure === 'object') {
      refuse(response, typeof failure === 'object' ? failure : refusal);
      return;
    }
    response.writeHead(200, { etag, 'content-length': content.length });
    if (failure === 'cut') response.write(content.subarray(1), () => response.destroy());
    else response.end(method === 'HEAD' ? undefined : content);
  }

  #answer(query: URLSearchParams, response: ServerResponse): void {
    const token = query.get('continuation-token');
    if (token === null && !query.has('max-keys')) this.passes++;
    const [start, page] = token === null ? [0, 0] : [Number(token), Number(token) / this.pageLength];
    const failure = this.failureOf(page);
    if (failure === 'endless') {
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.write(
        '<ListBucketResult>'.concat('<Contents><Key>a</Key></Contents>'.repeat(ENDLESS_BYTES / 32)),
      );
      return;
    }
    if (typeof failure === 'object') {
      refuse(response, failure);
      return;
    }
    const prefix = query.get('prefix') ?? '';
    const all = prefix === '' ? this.#keys : this.#keys.filter((key) => key.startsWith(prefix));
    const end = start + this.pageLength;
    const xml = this.alter(pageOf(all.slice(start, end), end < all.length ? String(end) : undefined), page);
    response.writeHead(200, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(xml) });
    if (failure === 'cut') response.write(xml.slice(0, -20), () => response.destroy());
    else response.end(xml);
  }
}

function refuse(response: ServerResponse, { status, code }: Exclude<PageFailure, string>): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>the stand-in says no</Message></Error>`);
}

function pageOf(keys: readonly string[], next: string | undefined): string {
  const contents = keys
    .map((key) => `<Contents><Key>${encoded(key)}</Key><Size>1</Size></Contents>`)
    .join('');
  const rest =
    next === undefined
      ? '<IsTruncated>false</IsTruncated>'
      : `<IsTruncated>true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken>`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
    `<Name>files</Name><EncodingType>url</EncodingType>${rest}${contents}</ListBucketResult>`
  );
}

/** As AWS encodes keys: a form's blanks, and slashes as they are. */
function encoded(key: string): string {
  return encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/');
}
