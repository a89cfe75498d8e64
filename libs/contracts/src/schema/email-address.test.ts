import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { emailAddress } from './email-address.ts';
import { plainMessage } from './plain-message.ts';

const published = z.toJSONSchema(emailAddress) as { format: string; pattern: string; maxLength: number };

describe('an e-mail address', () => {
  test.each([
    'ada@example.com',
    'First.Last+news@mail.example.co.uk',
    "o'brien@example.ie",
    'sales/eu%north@example.com',
    'user@xn--bcher-kva.xn--p1ai',
    `a@${'b'.repeat(63)}.example`,
    `${'x'.repeat(64)}@example.com`,
    `${'x'.repeat(30)}.${'x'.repeat(33)}@${'b.'.repeat(90)}example`,
    `a@${'b.'.repeat(122)}example`.slice(0, 254),
  ])('is accepted: %s', (address) => {
    expect(emailAddress.safeParse(address).success).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['without a domain', 'ada'],
    ['without a local part', '@example.com'],
    ['with a host name of one label', 'ada@localhost'],
    ['with an IP address', 'ada@127.0.0.1'],
    ['with an address literal', 'ada@[127.0.0.1]'],
    ['with a quoted local part', '"a b"@example.com'],
    ['with a dot at an end', '.ada@example.com'],
    ['with a dot before the @', 'ada.@example.com'],
    ['with two dots in a row', 'a..b@example.com'],
    ['with a label that ends with a hyphen', 'ada@example-.com'],
    ['with a label that is too long', `a@${'b'.repeat(64)}.example`],
    ['with white space around it', ' ada@example.com'],
    ['with a line end', 'ada@example.com\n'],
    ['with a field after it', 'ada@example.com\r\nBcc: eve@example.com'],
    ['with NUL', 'ada\0@example.com'],
    ['with a second address', 'ada@example.com,eve@example.com'],
    ['with a display name', 'Ada <ada@example.com>'],
    ['outside ASCII', 'ädä@example.com'],
    ['with a local part of 65 characters', `${'x'.repeat(65)}@example.com`],
    ['with words that are too long together', `${'x'.repeat(30)}.${'x'.repeat(34)}@example.com`],
    ['that is too long', `a@${'b.'.repeat(123)}example`],
  ])('is refused %s', (_what, address) => {
    expect(emailAddress.safeParse(address).success).toBe(false);
  });

  test.each([{ toString: '' }, null, ['é']])('is refused when it is no text: %j', (value) => {
    const { issues } = emailAddress.safeParse(value, { error: plainMessage }).error!;
    expect(issues.map(({ message }) => message)).toEqual([expect.stringMatching(/^must be a string/)]);
  });

  test('has a published format, pattern and length that accept the same addresses', () => {
    expect(published).toMatchObject({ type: 'string', format: 'email', maxLength: 254 });
    const pattern = new RegExp(published.pattern, 'u');
    const words = ['a', 'Z', '9', '-', '.', '@', '+', ' ', '\n', 'é', '.com', '@b.example'];
    const pieces = fc.constantFrom(...words, 'x'.repeat(31), `${'x'.repeat(63)}@`);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (list) => {
        const text = list.join('');
        const isAccepted = pattern.test(text) && [...text].length <= published.maxLength;
        expect(emailAddress.safeParse(text).success).toBe(isAccepted);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(['jürgen@example.com', 'ada@bücher.example'])('of %s says how to write it', (address) => {
    const [issue] = emailAddress.safeParse(address, { error: plainMessage }).error!.issues;
    expect(issue!.message).toMatch(/^must be in ASCII: .*xn--bcher-kva\.example/);
  });
});
