import { describe, expect, test } from '@jest/globals';
import { publishedSchema } from '../../schema/published-schema.ts';
import { sendEmail } from './send-email.ts';

const { properties = {}, required } = publishedSchema(sendEmail.input, 'input');

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

  test.each([...LINE_ENDS, '\0'].map((end) => [end.codePointAt(0)!.toString(16), end]))(
    'refuses a subject with U+%s, and takes it in a body',
    (_code, end) => {
      expect(accepts({ subject: `a${end}b` })).toBe(false);
      expect(accepts({ body: `a${end}b` })).toBe(true);
    },
  );
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
