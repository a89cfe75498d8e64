import { createServer, type ServerResponse } from 'node:http';
import { listen } from '@action-platform/testing';

/** How a request for a page fails: an error of S3, or an answer that ends in its middle, or never. */
export type PageFailure = { readonly status: number; readonly code: string } | 'cut' | 'endless';

/** How much of an endless answer is sent before it stops, in bytes; nobody should read so much. */
const ENDLESS_BYTES = 64 * 1024 * 1024;

/**
 * A server that lists one bucket as Amazon documents it (API reference, ListObjectsV2), with failures on request. It checks no
 * signature: the tests on a real server do.
 */
export class BucketStandIn {
  pageLength!: number;
  /** The failure of a page, by the number of pages of the pass before it. */
  failureOf!: (page: number) => PageFailure | undefined;
  /** Changes a page before it is sent. */
  alter!: (xml: string, page: number) => string;
  /** The number of begun passes. */
  passes = 0;
  url = '';
  #keys: readonly string[] = [];
  readonly #server = createServer(({ url }, response) => {
    this.#answer(new URL(url!, this.url).searchParams, response);
  });

  constructor() {
    this.reset();
  }

  /** The keys of the bucket; they may be set in any order. */
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
    this.alter = (xml) => xml;
  }

  async start(): Promise<void> {
    this.url = `http://127.0.0.1:${await listen(this.#server)}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(query: URLSearchParams, response: ServerResponse): void {
    const token = query.get('continuation-token');
    if (token === null) this.passes++;
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
      response.writeHead(failure.status, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>${failure.code}</Code><Message>the stand-in says no</Message></Error>`);
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
