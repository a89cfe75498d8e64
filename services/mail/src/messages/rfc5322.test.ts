import { addSender } from '@action-platform/contracts/calls';
import { sendEmail } from '@action-platform/contracts/operations';
import { anyCharacter } from '@action-platform/testing/arbitraries';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import type { z } from 'zod';
import { type DraftMessage, toRfc5322 } from './rfc5322.ts';

const message: DraftMessage = {
  marker: 'ab12',
  from: { name: 'Support', address: 'support@example.com' },
  to: ['ada@example.com'],
  cc: [],
  subject: 'Hello',
  body: 'How are you?\n',
  date: new Date('2026-03-01T09:05:07.123Z'),
};

describe('an e-mail as an Internet message', () => {
  test('is a draft that mail programs open for editing', async () => {
    expect((await toRfc5322({ ...message, cc: ['bob@example.com'] })).toString()).toBe(
      [
        'Content-Transfer-Encoding: base64',
        'Subject: Hello',
        'X-Unsent: 1',
        'X-Action-Platform-Key: ab12',
        'From: Support <support@example.com>',
        'To: ada@example.com',
        'Cc: bob@example.com',
        'Message-ID: <ab12@example.com>',
        'Date: Sun, 01 Mar 2026 09:05:07 +0000',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        '',
        'SG93IGFyZSB5b3U/DQo=',
        '',
      ].join('\r\n'),
    );
  });

  test('shows the address alone when the sender has no other name', async () => {
    const plain = await toRfc5322({ ...message, from: { name: 'a@example.com', address: 'a@example.com' } });
    expect(plain.toString()).toMatch(/^From: a@example\.com\r\n/m);
  });

  test('keeps a subject that looks like an encoded-word', async () => {
    const subject = '=?utf-8?Q?Bcc?= me';
    expect((await PostalMime.parse(await toRfc5322({ ...message, subject }))).subject).toBe(subject);
  });

  test('encodes a name that looks like an encoded-word, because readers decode a quoted one too', async () => {
    const from = { ...message.from, name: '=?utf-8?Q?Bcc?= me' };
    const text = (await toRfc5322({ ...message, from })).toString();
    expect(text).toMatch(/^From: =\?UTF-8\?B\?[A-Za-z0-9+/=]+\?= <support@example\.com>\r$/m);
    expect((await PostalMime.parse(text)).from).toEqual(from);
  });

  test.each([60, 77, 200, 990])('has no fold before a first word of %d characters', async (length) => {
    const subject = `${'a'.repeat(length)} b`;
    const text = (await toRfc5322({ ...message, subject })).toString();
    expect(text).toMatch(/^Subject: a/m);
    expect((await PostalMime.parse(text)).subject).toBe(subject);
  });

  const { subject: subjectSchema, body: bodySchema, to: toSchema } = sendEmail.input.shape;
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...' \t=?_<>"\\,:;.@é🎉\u200f\r\n'), minLength: 1, maxLength: 300 }),
  );
  const accepted = (schema: z.ZodType) => (value: string) => schema.safeParse(value).success;
  const subjects = texts.filter(accepted(subjectSchema));
  const bodies = texts.filter(accepted(bodySchema));
  const names = texts.filter(accepted(addSender.input.shape.display_name));
  const atoms = fc.string({
    unit: fc.constantFrom(..."aZ9!#$%&'*+/=?^_`{|}~-"),
    minLength: 1,
    maxLength: 20,
  });
  const labels = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9-]{0,20}[A-Za-z0-9])?$/);
  const addresses = fc
    .tuple(fc.array(atoms, { minLength: 1, maxLength: 3 }), fc.array(labels, { minLength: 1, maxLength: 3 }))
    .map(([local, host]) => `${local.join('.')}@${host.join('.')}.Example`)
    .filter(accepted(toSchema.element));

  /** An address with its host in lower case, which is the same host (RFC 5321, section 2.4). */
  const withPlainHost = (address: string) => address.replace(/@.*$/, (host) => host.toLowerCase());

  const withCrlf = (body: string) => body.split(/\r\n|[\r\n]/).join('\r\n');

  test('preserves every input that the contract accepts', async () => {
    const written = fc.record({
      subject: subjects,
      body: bodies,
      to: fc.array(addresses, { minLength: 1, maxLength: 20 }),
      cc: fc.array(addresses, { maxLength: 20 }),
      name: names,
    });
    await fc.assert(
      fc.asyncProperty(written, async ({ subject, body, to, cc, name }) => {
        const bytes = await toRfc5322({ ...message, subject, body, to, cc, from: { ...message.from, name } });
        const parsed = await PostalMime.parse(bytes);
        expect(parsed.subject).toBe(subject);
        expect(parsed.from).toEqual({ name, address: message.from.address });
        expect(parsed.to?.map(({ address }) => address)).toEqual(to.map(withPlainHost));
        expect((parsed.cc ?? []).map(({ address }) => address)).toEqual(cc.map(withPlainHost));
        const text = bytes.toString('latin1');
        expect(Buffer.from(text.slice(text.indexOf('\r\n\r\n')), 'base64').toString()).toBe(withCrlf(body));
      }),
      { numRuns: 300 },
    );
  });

  test('has ASCII in lines of at most 998 characters, and only its own fields', async () => {
    const fields =
      /^(From|To|Cc|Subject|Date|Message-ID|X-Unsent|X-Action-Platform-Key|MIME-Version|Content-Type|Content-Transfer-Encoding): |^ \S/;
    await fc.assert(
      fc.asyncProperty(subjects, bodies, names, async (subject, body, name) => {
        const from = { ...message.from, name };
        const text = (await toRfc5322({ ...message, subject, body, from })).toString('latin1');
        expect(text).toMatch(/^[\t\r\n -~]*$/);
        const [header = '', content = ''] = text.split('\r\n\r\n');
        for (const line of header.split('\r\n')) expect(line).toMatch(fields);
        expect(content).toMatch(/^([A-Za-z0-9+/=]{0,76}\r\n)*$/);
        for (const line of text.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
      }),
    );
  });
});
