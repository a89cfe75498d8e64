import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { metricsDeclared } from './metrics/declared.ts';
import { telemetryMd } from './telemetry-md.ts';

test('docs/telemetry.md is up to date with the declarations; npm run docs writes its table of metrics', () => {
  expect(readFileSync(telemetryMd.file, 'utf8')).toBe(telemetryMd.content);
  expect(telemetryMd.content.match(/^\| `[\w.]+` \| `\w+` \| `/gm)).toHaveLength(
    Object.keys(metricsDeclared).length,
  );
});
