import type { ApprovalCondition } from '@action-platform/contracts/resources';
import { ExactJson } from '@action-platform/json';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { fitsAny, holdingOf } from './conditions.ts';

const holds = async (condition: ApprovalCondition, body: string) => (await holdingOf([[condition]], body))[0];
const when = (field: string, is: ApprovalCondition['is'], value: ApprovalCondition['value']) => ({
  field,
  is,
  value,
});

test.each([
  ['100.00', false],
  ['1E2', false],
  [`100.${'9'.repeat(300)}`, true],
  ['"200"', true],
  ['null', true],
  ['[1]', true],
])('/amount above 100: %.20s fits: %s', async (amount, expected) => {
  expect(await holds(when('/amount', 'above', 100), `{"amount":${amount}}`)).toBe(expected);
});

test('the conditions of a push are checked for each of many large Records', async () => {
  const rule = { operations: ['record_store.push_record'], when: [when('/payload/amount', 'above', 100)] };
  const fits = async (last: number) => {
    const amounts = [...Array.from({ length: 49 }, () => 1), last];
    const items = amounts.map((amount) => ({ payload: { amount, text: 'a'.repeat(40_000) } }));
    const body = JSON.stringify({ collection_id: 'c', items });
    return await fitsAny([rule as never], 'record_store.push_records', Buffer.from(body));
  };
  expect(await fits(100)).toBe(false);
  expect(await fits(101)).toBe(true);
});

const long = `"${'A'.repeat(100_000)}"`;
test.each([
  ['replaceAll', 'begins_with', long, (n: number) => `b${n}`],
  ['replaceAll', 'ends_with', long, (n: number) => `b${n}`],
  ['search', 'in', '1'.repeat(100_000), (n: number) => n],
] as const)('%s reads a long text once for fifty values of %s', async (method, is, json, value) => {
  const values = Array.from({ length: 50 }, (_, n) => value(n));
  const reading = jest.spyOn(String.prototype, method);
  try {
    expect(await holds(when('/field', is, values), `{"field":${json}}`)).toBe(false);
    const read = reading.mock.contexts.map((text) => String(text).length);
    expect(read.length).toBeGreaterThan(50);
    expect(read.reduce((sum, length) => sum + length)).toBeLessThan(200_000);
  } finally {
    reading.mockRestore();
  }
});

const FOREIGN = when('/to/*', 'not_ends_with', ['@acme.com']);
test.each<[string, ApprovalCondition, string, boolean]>([
  ['an absent field', when('/amount', 'below', 1), '{}', true],
  ['an absent parent', when('/payload/amount', 'below', 1), '{}', true],
  ['an absent array', when('/cc/*', 'not_ends_with', '@acme.com'), '{}', false],
  ['an empty array', when('/cc/*', 'not_ends_with', '@acme.com'), '{"cc":[]}', false],
  ['no array', when('/cc/*', 'ends_with', '@acme.com'), '{"cc":"x@b.c"}', true],
  ['an item without the field', when('/a/*/b', 'equals', 1), '{"a":[{"b":2},{}]}', true],
  ['an index', when('/a/1', 'equals', 2), '{"a":[1,2]}', true],
  ['no index', when('/a/01', 'equals', 3), '{"a":[1,2]}', true],
  ['another case', FOREIGN, '{"to":["x@ACME.COM"]}', false],
  ['a longer domain', FOREIGN, '{"to":["x@acme.com.evil.io"]}', true],
  ['a letter that Unicode folds to ASCII', when('/to', 'ends_with', 'k'), '{"to":"\u212a"}', false],
  ['one foreign address of 20', FOREIGN, `{"to":[${'"a@acme.com",'.repeat(19)}"a@b.c"]}`, true],
  ['a name of a prototype', when('/p/__proto__/x', 'equals', 1), '{"p":{"__proto__":{"x":1}}}', true],
  ['an inherited name', when('/p/constructor', 'not_in', ['x']), '{"p":{"constructor":"x"}}', false],
  ['escaped names', when('/a~1b/~01', 'equals', 'é'), String.raw`{"a/b":{"~1":"\u00e9"}}`, true],
  [
    'two numbers that share a double',
    when('/n', 'equals', new ExactJson('9007199254740993')),
    '{"n":9007199254740992}',
    false,
  ],
  ['null', when('/n', 'not_equals', null), '{"n":null}', false],
])('%s', async (_what, condition, body, expected) => {
  expect(await holds(condition, body)).toBe(expected);
  const large = `${body.slice(0, -1)}${body === '{}' ? '' : ','}"filler":"${'x'.repeat(40_000)}"}`;
  expect(await holds(condition, large)).toBe(expected);
});

test('all conditions of a rule must hold, each rule by itself', async () => {
  const [small, large] = [when('/n', 'below', 10), when('/n', 'above', 5)];
  expect(await holdingOf([[small, large], [large], [], [small]], '{"n":20}')).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

describe('20,000 pairs agree with a model of', () => {
  const numRuns = 20_000;

  test('decimals', async () => {
    const decimal = fc.record({
      sign: fc.constantFrom(1n, -1n),
      digits: fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 10n ** 25n)),
      exponent: fc.integer({ min: -6, max: 6 }),
      spelling: fc.constantFrom('e', 'E+0', '.e', 'plain'),
    });
    const models = {
      equals: (a: bigint, b: bigint) => a === b,
      not_equals: (a: bigint, b: bigint) => a !== b,
      above: (a: bigint, b: bigint) => a > b,
      at_least: (a: bigint, b: bigint) => a >= b,
      below: (a: bigint, b: bigint) => a < b,
      at_most: (a: bigint, b: bigint) => a <= b,
    };
    const is = fc.constantFrom(...(Object.keys(models) as (keyof typeof models)[]));
    await fc.assert(
      fc.asyncProperty(decimal, decimal, fc.boolean(), is, async (present, other, isSame, is) => {
        const wanted = isSame ? { ...present, spelling: other.spelling } : other;
        const condition = when('/n', is, new ExactJson(spelled(wanted)));
        const model = models[is](scaled(present), scaled(wanted));
        expect(await holds(condition, `{"n":${spelled(present)}}`)).toBe(model);
      }),
      { numRuns },
    );
    type Decimal = { sign: bigint; digits: bigint; exponent: number; spelling: string };
    function scaled({ sign, digits, exponent }: Decimal) {
      return sign * digits * 10n ** BigInt(exponent + 6);
    }
    function spelled({ sign, digits, exponent, spelling }: Decimal): string {
      const number = `${sign < 0n ? '-' : ''}${digits}`;
      if (spelling === 'e') return `${number}e${exponent}`;
      if (spelling === '.e') return `${number}.000E${exponent}`;
      if (spelling === 'E+0') return exponent < 0 ? `${number}e${exponent}` : `${number}E+0${exponent}`;
      if (exponent >= 0) return `${number}${digits === 0n ? '' : '0'.repeat(exponent)}`;
      const padded = String(digits).padStart(1 - exponent, '0');
      return `${sign < 0n ? '-' : ''}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
    }
  });

  test('Unicode', async () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'A', 'k', 'K', '\u212a', 'ß', 'İ', 'é', 'e\u0301', '😀', '"', '\\'),
      maxLength: 4,
    });
    const points = (text: string) =>
      [...text].map((point) => (/^[A-Z]$/.test(point) ? point.toLowerCase() : point));
    const startsWith = (text: string, wanted: string) =>
      points(wanted).every((point, index) => points(text)[index] === point);
    const endsWith = (text: string, wanted: string) =>
      points(wanted)
        .reverse()
        .every((point, index) => points(text).reverse()[index] === point);
    const models = {
      equals: (text: string, [wanted]: string[]) => text === wanted,
      in: (text: string, wanted: string[]) => wanted.includes(text),
      not_in: (text: string, wanted: string[]) => !wanted.includes(text),
      begins_with: (text: string, wanted: string[]) => wanted.some((one) => startsWith(text, one)),
      ends_with: (text: string, wanted: string[]) => wanted.some((one) => endsWith(text, one)),
      not_ends_with: (text: string, wanted: string[]) => !wanted.some((one) => endsWith(text, one)),
    };
    const is = fc.constantFrom(...(Object.keys(models) as (keyof typeof models)[]));
    await fc.assert(
      fc.asyncProperty(
        word,
        fc.array(word, { minLength: 1, maxLength: 3 }),
        is,
        async (present, wanted, is) => {
          const condition = when('/t', is, is === 'equals' ? wanted[0]! : wanted);
          expect(await holds(condition, `{"t":${JSON.stringify(present)}}`)).toBe(
            models[is](present, wanted),
          );
        },
      ),
      { numRuns },
    );
  });
});
