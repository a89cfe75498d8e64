import { expect, test } from '@jest/globals';
import { isAtLeast } from './version.mjs';

test.each([
  ['db version v8.2.6\nBuild Info: { "version": "8.2.6" }', '8.0', true],
  ['db version v7.0.14', '8.0', false],
  ['nats-server: v2.14.0', '2.10', true],
  ['nats-server: v2.9.10', '2.10', false],
  ['26.10.0', '>=26', true],
  ['20.20.2', '>=26', false],
  ['8.0.0', '8', true],
  ['10.0.1', '9.9.9', true],
  ['command not found', '1', false],
])('%j is at least %s: %s', (text, minimum, expected) => {
  expect(isAtLeast(text, minimum)).toBe(expected);
});
