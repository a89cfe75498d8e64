import { readConfig } from '@action-platform/contracts/configuration';
import { expect, test } from '@jest/globals';
import { knowledgeConfig } from './open-sources.ts';

test.each([
  [{ FILES_S3_ENDPOINT: 'ftp://x' }, 'FILES_S3_ENDPOINT: must be a URL such as https://s3.example.com'],
  [{ FILES_S3_PATH_STYLE: 'maybe' }, 'FILES_S3_PATH_STYLE: must be true or false'],
  [{ FILES_S3_RESCAN_SECONDS: '0' }, 'FILES_S3_RESCAN_SECONDS: must be at least 1'],
])('%j is refused by name', (environment, message) => {
  expect(() => readConfig(knowledgeConfig, environment)).toThrow(message);
});

test('a prefix ends with a slash', () => {
  const prefixOf = (FILES_S3_PREFIX: string) =>
    readConfig(knowledgeConfig, { FILES_S3_PREFIX }).FILES_S3_PREFIX;
  expect(['a', 'a/b/', ''].map(prefixOf)).toEqual(['a/', 'a/b/', undefined]);
});
