import { readFileSync } from 'node:fs';
import { configurationRows } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { mailConfig } from './config.ts';

test('the configuration of the mail service is documented', () => {
  const rows = readFileSync('docs/configuration.md', 'utf8').split('\n');
  for (const row of configurationRows(mailConfig)) expect(rows).toContain(row);
});
