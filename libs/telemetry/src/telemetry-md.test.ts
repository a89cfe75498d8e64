import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { telemetryMd } from './telemetry-md.ts';

test('docs/telemetry.md is up to date with the declarations; npm run docs writes it', () => {
  expect(readFileSync(telemetryMd.file, 'utf8')).toBe(telemetryMd.content);
});
