import { operations } from '@action-platform/contracts/operations';
import { EVENT_STREAM } from '@action-platform/contracts/resources';
import { httpRoutes, type Route } from '@action-platform/contracts/routes';
import { publishedSchema } from '@action-platform/contracts/schema';
import { type Edit, edited, edits } from '@action-platform/testing/arbitraries';
import fc, { type Arbitrary } from 'fast-check';
import { nearlyAccepted } from '../../contract/mutation.ts';
import { type Fuzzed, withReferences } from '../references.ts';
import { type HttpPieces, httpPieces } from './pieces.ts';

/** The bytes of one connection. */
export interface HttpRequest {
  /** `POST /api/v1/operation-grants`, with the path template of the document; null when mutation may change the route. */
  readonly route: string | null;
  /** Whether the bytes are one whole request with `Connection: close`. */
  readonly isWhole: boolean;
  /** Whether an answer may be one to HEAD. */
  readonly isHead: boolean;
  /** The bytes (U+0000 to U+00FF) of each write. */
  readonly writes: readonly string[];
}

/** Requests of every declared route, valid and mutated. A stream of events has no end, and so no whole answer. */
export function httpRequests(fuzzed: Fuzzed): Arbitrary<HttpRequest> {
  const pieces = httpPieces(fuzzed);
  const routes = httpRoutes(operations).filter(
    ({ answers }) => !answers.some(({ body }) => Array.isArray(body) && body.includes(EVENT_STREAM)),
  );
  return fc.oneof(...routes.map((route) => requestsOf(route, fuzzed, pieces)));
}

function requestsOf(route: Route, fuzzed: Fuzzed, pieces: HttpPieces): Arbitrary<HttpRequest> {
  const { requestBody } = route;
  return fc
    .record({
      segments: fc.array(fc.constantFrom(...pieces.segments), { minLength: 2, maxLength: 2 }),
      query: fc.constantFrom(...pieces.queries),
      authorization: fc.constantFrom(...pieces.authorizations),
      extra: fc.array(fc.constantFrom(...pieces.headers), { maxLength: 2 }),
      mediaType: fc.constantFrom(...pieces.mediaTypes),
      body:
        requestBody === undefined
          ? fc.constantFrom('', '', '{"a":1}')
          : bodiesOf(requestBody, fuzzed, pieces),
      framing: framings,
      changes: fc.oneof({ weight: 2, arbitrary: fc.constant<Edit[]>([]) }, edits(pieces.texts, 3)),
      pauses: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 }),
    })
    .map(({ segments, query, authorization, extra, mediaType, body, framing, changes, pauses }) => {
      let next = 0;
      const path = route.path.replaceAll(/\{\w+\}/g, () => segments[next++]!);
      const method = route.method.toUpperCase();
      const head = [
        `${method} ${path}${query} HTTP/1.1`,
        'Host: gateway',
        ...(authorization === '' ? [] : [`Authorization: ${authorization}`]),
        ...(mediaType === '' || body === '' ? [] : [`Content-Type: ${mediaType}`]),
        ...extra,
        'Connection: close',
      ];
      const text = edited(framed(head, body, framing), changes);
      const isWhole = changes.length === 0 && (framing === 'length' || framing === 'chunks');
      const isPlain = isWhole && !segments.some((segment) => /[./%]/.test(segment));
      return {
        route: isPlain ? `${method} ${route.path}` : null,
        isWhole,
        isHead: /head/i.test(text),
        writes: parted(text, pauses),
      };
    });
}

/** Bodies as bytes: the example, inputs near what the schema accepts, and either with edits. */
function bodiesOf(
  { schema, example }: NonNullable<Route['requestBody']>,
  fuzzed: Fuzzed,
  { texts: pieces }: HttpPieces,
): Arbitrary<string> {
  const written = (input: unknown) =>
    Buffer.from(JSON.stringify(withReferences(input, fuzzed))).toString('latin1');
  const sample = written(example);
  const marked = sample.replace(/"[^"]*"\}/, `"${fuzzed.mark}"}`);
  const near = nearlyAccepted(publishedSchema(schema, 'input')).map(written);
  const texts = fc.oneof(fc.constantFrom(sample, marked), near);
  const changed = fc.tuple(texts, edits(pieces)).map(([text, changes]) => edited(text, changes));
  return fc.oneof(
    { weight: 3, arbitrary: texts },
    changed,
    fc.constantFrom('', '{}', 'null', '[]', '\xef\xbb\xbf{}'),
  );
}

/** The framing of a body, right or wrong. */
type Framing = 'length' | 'chunks' | 'none' | 'short' | 'long' | 'both' | 'last chunk missing';

/** Framings, right ones more often than wrong ones. */
const framings = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<Framing[]>('length', 'length', 'length', 'chunks') },
  fc.constantFrom<Framing[]>('none', 'short', 'long', 'both', 'last chunk missing'),
);

/** A request with its body framed (RFC 9112, sections 6 and 7.1). */
function framed(head: readonly string[], body: string, framing: Framing): string {
  const chunk = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`;
  const chunked = 'Transfer-Encoding: chunked';
  const written: Readonly<Record<Framing, readonly [headers: string[], content: string]>> = {
    length: [[`Content-Length: ${body.length}`], body],
    short: [[`Content-Length: ${body.length}1`], body],
    long: [['Content-Length: 1'], body],
    none: [[], body],
    chunks: [[chunked], `${chunk}0\r\n\r\n`],
    'last chunk missing': [[chunked], chunk],
    both: [[chunked, `Content-Length: ${body.length}`], `${chunk}0\r\n\r\n`],
  };
  const [headers, content] = written[framing];
  return [...head, ...headers, '', content].join('\r\n');
}

/** The text in parts. @param pauses where it is parted, as fractions of it */
function parted(text: string, pauses: readonly number[]): string[] {
  const ends = [...pauses.map((pause) => Math.floor(pause * text.length)).sort((a, b) => a - b), text.length];
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end)).filter((part) => part !== '');
}
