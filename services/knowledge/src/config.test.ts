import { readFileSync } from 'node:fs';
import { configurationRows } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { knowledgeConfig } from './config.ts';

test('the configuration of the knowledge service is documented', () => {
  const rows = readFileSync('docs/configuration.md', 'utf8').split('\n');
  for (const row of configurationRows(knowledgeConfig)) expect(rows).toContain(row);
});
