import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scanForSecrets } from './secrets.ts';

const secret = 'SECRET-open-sesame';

test.each([
  ['as it is', secret],
  ['in a URL', encodeURIComponent(`imap://ada:${secret}@host`)],
  ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
  ...['', 'é', 'é~', 'é~?', '\0ada@example.com\0'].map((before): [string, string] => [
    `in base64 after ${before.length} bytes`,
    Buffer.from(`${before}${secret}`, 'latin1').toString('base64'),
  ]),
])('a secret is found %s, in each kind of evidence', (_how, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'action-platform-scan-'));
  const kinds = {
    databases: 'mac_1',
    logs: '"service":"mail"',
    answers: 'drf_1',
    spans: 'mail create_draft',
  };
  const keep = (kind: string, kept: string) => writeFileSync(join(folder, kind), kept);
  for (const [kind, sound] of Object.entries(kinds)) keep(kind, `${sound} MAIL_SECRET_KEYS k1 secret-keys`);
  expect(scanForSecrets(folder, true).isClean).toBe(true);
  for (const [kind, sound] of Object.entries(kinds)) {
    keep(kind, `${sound} before ${text} after`);
    const { isClean, lines } = scanForSecrets(folder, true);
    expect([isClean, ...lines.filter((line) => line.includes('a secret'))]).toEqual([
      false,
      expect.stringContaining(kind),
    ]);
    keep(kind, '');
    expect([true, false].map((isWhole) => scanForSecrets(folder, isWhole).isClean)).toEqual([false, true]);
    keep(kind, sound);
  }
  rmSync(folder, { recursive: true });
});
