import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { publishedSchema } from '../../schema/published-schema.ts';
import { sendEmail } from './send-email.ts';

interface TextSchema {
  minLength: number;
  maxLength: number;
  pattern?: string;
}

const { properties, required } = publishedSchema(sendEmail.input, 'input') as unknown as {
  properties: Record<string, TextSchema & { items?: TextSchema; minItems?: number; maxItems?: number }>;
  required: string[];
};

/** Every character that ends a line somewhere (Unicode Standard Annex 14, section 5.1: BK, CR, LF, NL). */
const LINE_ENDS = ['\r', '\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];

const email = { to: ['ada@example.com'], subject: 'Hello', body: 'Text' };
const accepts = (changes: object) => sendEmail.input.safeParse({ ...email, ...changes }).success;

describe('the input of mail.send_email', () => {
  test('is published with every bound', () => {
    expect(required).toEqual(['to', 'subject', 'body']);
    expect(properties.to).toMatchObject({ minItems: 1, maxItems: 20, items: { format: 'email' } });
    expect(properties.cc).toMatchObject({ maxItems: 20, items: { format: 'email' } });
    expect(properties.subject).toMatchObject({ minLength: 1, maxLength: 255 });
    expect(properties.body).toMatchObject({ minLength: 1, maxLength: 100_000 });
    expect(properties.output_definition).toMatchObject({ minLength: 1, maxLength: 200 });
    expect(properties.idempotency_key).toMatchObject({ minLength: 1, maxLength: 200 });
    expect(properties.connection_id).toMatchObject({ deprecated: true });
    expect(properties.confirm_send).toMatchObject({ deprecated: true, const: true });
  });

  test.each(['subject', 'body'])('accepts exactly the %s that the published schema accepts', (field) => {
    const { minLength, maxLength, pattern = '' } = properties[field]!;
    const units = fc.constantFrom(
      'a',
      'é',
      '😀',
      ' ',
      '\t',
      '\0',
      ...LINE_ENDS,
      'x'.repeat(84),
      '😀'.repeat(84),
    );
    fc.assert(
      fc.property(fc.array(units, { maxLength: 6 }), (list) => {
        const value = list.join('');
        const length = [...value].length;
        const isAccepted = length >= minLength && length <= maxLength && new RegExp(pattern, 'u').test(value);
        expect(accepts({ [field]: value })).toBe(isAccepted);
      }),
      { numRuns: 500 },
    );
  });

  test.each(LINE_ENDS.map((end) => [end.codePointAt(0)!.toString(16), end]))(
    'refuses a subject with the line end U+%s, and takes it in a body',
    (_code, end) => {
      expect(accepts({ subject: `a${end}b` })).toBe(false);
      expect(accepts({ body: `a${end}b` })).toBe(true);
    },
  );

  test('counts characters as code points', () => {
    expect(accepts({ subject: '😀'.repeat(255) })).toBe(true);
    expect(accepts({ subject: '😀'.repeat(256) })).toBe(false);
    expect(accepts({ body: '😀'.repeat(100_000) })).toBe(true);
    expect(accepts({ body: '😀'.repeat(100_001) })).toBe(false);
  });

  test('needs 1 to 20 recipients, and at most 20 copies', () => {
    const addresses = (count: number) => Array.from({ length: count }, (_, i) => `a${i}@example.com`);
    expect(accepts({ to: [] })).toBe(false);
    expect(accepts({ to: addresses(20), cc: addresses(20) })).toBe(true);
    expect(accepts({ to: addresses(21) })).toBe(false);
    expect(accepts({ cc: addresses(21) })).toBe(false);
    expect(accepts({ cc: [] })).toBe(true);
  });

  test('takes confirm_send only as true', () => {
    expect(accepts({ confirm_send: true })).toBe(true);
    expect(accepts({ confirm_send: false })).toBe(false);
  });
});

test.each([
  ['drafted', undefined],
  ['accepted', undefined],
  ['failed', 'failed'],
  ['unknown', 'unknown'],
] as const)('a result with the status %s has the outcome %s', (status, outcome) => {
  const result = sendEmail.output.parse({ ...sendEmail.exampleResult, status });
  expect(sendEmail.outcome!(result)).toBe(outcome);
});
