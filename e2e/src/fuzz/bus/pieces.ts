import { busHeaders } from '@action-platform/contracts';
import { edited, edits, pieces } from '@action-platform/testing/arbitraries';
import fc, { type Arbitrary } from 'fast-check';
import type { Headers } from './message.ts';

const PIECES = pieces(String.raw`
  {  }  \"  \\  ,  :  [  ]  null  {}  {\"$ne\":\"\"}  \"__proto__\":{}  {\"a\":  0  -1  1e999  owner  member
  \u0020  \u0000  \u00ff  \u00ed\u00a0\u0080
`);

/** A hostile value of a header. */
export const strangeValues = fc.constantFrom(
  ...pieces(String.raw`
    0  -1  NaN  Infinity  1e9  99999999999999  0.5  true  null  \"  \"\\ud800\"  \"a\\r\\nb: c\"  []  {}  200  99  1000
    {\"workspaceId\":{\"$ne\":\"\"},\"userId\":{\"$ne\":\"\"},\"role\":\"owner\",\"connections\":{}}  é  \u0020x\u0020
    _INBOX_grants.x  op.mail.mail.send_email  __proto__
  `),
  '',
  'x'.repeat(5000),
);

/**
 * Headers with one of them changed, left out, doubled or added. Services log the caller and the request id, so only
 * bodies carry the mark that no log may contain.
 */
export function changedHeaders(headers: Headers): Arbitrary<Headers> {
  const known = fc.constantFrom(...Object.values(busHeaders), 'Nats-Expected-Stream', 'a');
  const change = fc.record({
    kind: fc.constantFrom('value', 'edits', 'remove', 'double', 'add'),
    at: fc.nat(Math.max(0, headers.length - 1)),
    name: known,
    value: strangeValues,
    changes: edits(PIECES, 2),
  });
  return fc.array(change, { maxLength: 2 }).map((changes) => {
    const result = headers.map(([name, value]) => [name, value] as const);
    for (const { kind, at, name, value, changes: textChanges } of changes) {
      const here = result[at];
      if (kind === 'add' || here === undefined) result.push([name, value]);
      else if (kind === 'value') result[at] = [here[0], value];
      else if (kind === 'edits') result[at] = [here[0], edited(here[1], textChanges)];
      else if (kind === 'double') result.push([here[0], value]);
      else result.splice(at, 1);
    }
    return result;
  });
}

/** Bodies as bytes (U+0000 to U+00FF): one of these texts, or one with edits, the mark among them. */
export function changedBodies(texts: Arbitrary<string>, mark: string): Arbitrary<string> {
  const bytes = texts.map((text) => Buffer.from(text).toString('latin1'));
  return fc.oneof(
    { weight: 2, arbitrary: bytes },
    fc.tuple(bytes, edits([...PIECES, mark])).map(([text, changes]) => edited(text, changes)),
  );
}
