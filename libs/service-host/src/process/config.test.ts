import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownVariables, readConfig } from '@action-platform/contracts/configuration';
import { makeTestFolder, undocumentedVariables } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import { busSeed, commonConfig, sealKeys } from './config.ts';

describe('configuration', () => {
  test('has a default for everything but credentials', () => {
    expect(readConfig(commonConfig, {})).toMatchObject({
      NATS_URL: 'nats://127.0.0.1:4222',
      RECORD_PAYLOAD_MAX_BYTES: 262_144,
      WORKSPACE_QUOTA_BYTES: 2 ** 30,
      REQUEST_BODY_MAX_BYTES: 2 * 2 ** 20,
      GATEWAY_MAX_IN_FLIGHT: 512,
    });
  });

  test('treats an empty variable as unset', () => {
    expect(readConfig(commonConfig, { LOG_LEVEL: '', REQUEST_DEADLINE_MS: '' })).toMatchObject({
      LOG_LEVEL: 'info',
      REQUEST_DEADLINE_MS: 10_000,
    });
  });

  test.each([
    ['MONGODB_URL', 'localhost:27017'],
    ['NATS_URL', 'nats://'],
    ['NATS_URL', 'nats://one:4222,'],
  ])('refuses %s when it is %s', (name, value) => {
    expect(() => readConfig(commonConfig, { [name]: value })).toThrow(
      `Wrong configuration: ${name}: must be`,
    );
  });

  test.each(['127.0.0.1:4222', 'nats://one:4222, tls://two:4222', 'host'])(
    'takes the servers %s',
    (NATS_URL) => {
      expect(readConfig(commonConfig, { NATS_URL })).toMatchObject({ NATS_URL });
    },
  );

  test('needs an nkey seed', () => {
    expect(() => busSeed(readConfig(commonConfig, {}))).toThrow(/NATS_NKEY_SEED/);
    expect(busSeed(readConfig(commonConfig, { NATS_NKEY_SEED: 'SU…' }))).toBe('SU…');
  });

  test('needs a key that seals', () => {
    const key = randomBytes(32).toString('base64');
    expect(() => sealKeys(readConfig(commonConfig, {}))).toThrow('set SEAL_KEYS or SEAL_KEYS_FILE');
    expect(sealKeys(readConfig(commonConfig, { SEAL_KEYS: `k1:${key}` })).newest).toBe('k1');
  });

  test('takes a secret from a file', () => {
    const folder = makeTestFolder();
    const file = join(folder, 'secret');
    writeFileSync(file, 'mongodb://user:password@host/\n');
    expect(readConfig(commonConfig, { MONGODB_URL_FILE: file })).toMatchObject({
      MONGODB_URL: 'mongodb://user:password@host/',
    });
    expect(() =>
      readConfig(commonConfig, { MONGODB_URL_FILE: file, MONGODB_URL: 'mongodb://host/' }),
    ).toThrow(/^Wrong configuration: MONGODB_URL_FILE: MONGODB_URL is set too\./);
    rmSync(folder, { recursive: true });
    expect(() => readConfig(commonConfig, { NATS_NKEY_SEED_FILE: file })).toThrow(
      `Wrong configuration: NATS_NKEY_SEED_FILE: ${file} cannot be read (ENOENT). See docs/configuration.md.`,
    );
  });

  test.each([['every process', commonConfig] as const, ...Object.entries(ownVariables)])(
    'of %s is documented',
    (_name, variables) => expect(undocumentedVariables(variables)).toEqual([]),
  );
});
