import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findSecret, scanForSecrets } from './secrets.ts';

const secret = 'SECRET-open-sesame';

describe('a secret is found', () => {
  test.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(`imap://ada:${secret}@host`)],
    ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
    ...[0, 1, 2, 3].map((before): [string, string] => [
      `in base64 after ${before} bytes`,
      Buffer.from(`${'é~?'.repeat(before).slice(0, before)}${secret}`, 'latin1').toString('base64'),
    ]),
    ['in a sign-in of SASL', Buffer.from(`\0ada@example.com\0${secret}`).toString('base64')],
  ])('%s', (_how, text) => {
    expect(findSecret(`before ${text} after`)).toBeDefined();
  });

  test('not in names of variables', () => {
    expect(findSecret('MAIL_SECRET_KEYS k1 secret-keys')).toBeUndefined();
  });
});

describe('a scan', () => {
  const folder = mkdtempSync(join(tmpdir(), 'action-platform-scan-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const keep = (kind: string, text: string) => writeFileSync(join(folder, kind), text);
  beforeEach(() => {
    keep('databases', 'mac_1');
    keep('logs', '{"service":"mail"}');
    keep('answers', 'drf_1');
    keep('spans', 'mail create_draft');
  });

  test('of evidence without a secret is clean', () => {
    expect(scanForSecrets(folder, true).isClean).toBe(true);
  });

  test.each(['databases', 'logs', 'answers', 'spans'])('names %s with a secret', (kind) => {
    keep(kind, `mac_1 drf_1 "service":"mail" mail create_draft ${secret}`);
    const { isClean, lines } = scanForSecrets(folder, true);
    expect(isClean).toBe(false);
    expect(lines.filter((line) => line.includes('a secret'))).toEqual([expect.stringContaining(kind)]);
  });

  test.each(['databases', 'logs', 'answers', 'spans'])('of a whole run that kept no %s fails', (kind) => {
    keep(kind, '');
    expect(scanForSecrets(folder, true).isClean).toBe(false);
    expect(scanForSecrets(folder, false).isClean).toBe(true);
  });
});
