import { httpRoutes, operations, publishedSchema, type Route } from '@action-platform/contracts';
import fc, { type Arbitrary } from 'fast-check';
import { nearlyAccepted } from '../../contract/mutation.ts';
import { withReferences } from '../environment/placeholders.ts';
import { type Edit, edited, edits } from '../mutated-text.ts';
import { framed, framings, type HttpRequest, isWholeWith } from './framing.ts';
import { AUTHORIZATIONS, HEADERS, MEDIA_TYPES, PIECES, QUERIES, SEGMENTS } from './pieces.ts';

/** Requests of every declared route, valid and mutated. */
export const httpRequests: Arbitrary<HttpRequest> = fc.oneof(...httpRoutes(operations).map(requestsOf));

function requestsOf(route: Route): Arbitrary<HttpRequest> {
  const { requestBody } = route;
  return fc
    .record({
      segments: fc.array(fc.constantFrom(...SEGMENTS), { minLength: 2, maxLength: 2 }),
      query: fc.constantFrom(...QUERIES),
      authorization: fc.constantFrom(...AUTHORIZATIONS),
      extra: fc.array(fc.constantFrom(...HEADERS), { maxLength: 2 }),
      mediaType: fc.constantFrom(...MEDIA_TYPES),
      body: requestBody === undefined ? fc.constantFrom('', '', '{"a":1}') : bodiesOf(requestBody),
      framing: framings,
      changes: fc.oneof({ weight: 2, arbitrary: fc.constant<Edit[]>([]) }, edits(PIECES, 3)),
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
      const isSound = changes.length === 0 && isWholeWith(framing);
      const isPlain = isSound && !segments.some((segment) => /[./%]/.test(segment));
      return { route: isPlain ? `${method} ${route.path}` : null, isWhole: isSound, text, pauses };
    });
}

/** Bodies as bytes: the example, inputs near what the schema accepts, and either with edits. */
function bodiesOf({ schema, example }: NonNullable<Route['requestBody']>): Arbitrary<string> {
  const sample = JSON.stringify(withReferences(example));
  const near = nearlyAccepted(publishedSchema(schema, 'input')).map((input) =>
    JSON.stringify(withReferences(input)),
  );
  const marked = sample.replace(/"(?!\{\{)[^"]*"\}/, '"{{mark}}"}');
  const texts = fc
    .oneof(fc.constantFrom(sample, marked), near)
    .map((text) => Buffer.from(text).toString('latin1'));
  const changed = fc.tuple(texts, edits(PIECES)).map(([text, changes]) => edited(text, changes));
  return fc.oneof(
    { weight: 3, arbitrary: texts },
    changed,
    fc.constantFrom('', '{}', 'null', '[]', '\xef\xbb\xbf{}'),
  );
}
