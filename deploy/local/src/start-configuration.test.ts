import { expect, test } from '@jest/globals';
import { localDirectory } from './local-directory.ts';
import { readOptions } from './options.ts';
import { readStartConfiguration } from './start-configuration.ts';

const read = (environment: Record<string, string>, ...args: string[]) =>
  readStartConfiguration(environment, localDirectory(environment), readOptions(args).replicas);

test('every variable is optional', () => {
  expect(read({})).toMatchObject({ port: 8080, limits: { PAGE_MAX_BYTES: 1_048_576 } });
});

test('the ports of all gateways must exist', () => {
  expect(read({ PORT: '65535' })).toMatchObject({ port: 65_535 });
  expect(() => read({ PORT: '65535' }, '--replicas', 'gateway=2')).toThrow(
    'Wrong configuration: PORT: 2 gateways need as many consecutive ports, at most 65535.',
  );
});

test('an issuer in the environment must be complete and unique', () => {
  const first = {
    SESSION_ISSUER: 'https://issuer.test',
    SESSION_AUDIENCE: 'action-platform',
    SESSION_JWKS_URL: 'https://issuer.test/keys',
  };
  const again = JSON.stringify([
    { issuer: 'https://issuer.test', audience: 'a', jwks_url: 'https://issuer.test/keys' },
  ]);
  expect(read(first)).toMatchObject({ port: 8080 });
  expect(() => read({ ...first, SESSION_ISSUERS: again })).toThrow('https://issuer.test is listed twice');
  expect(() => read({ SESSION_WORKSPACE_CLAIM: 'tenant' })).toThrow(
    'Wrong configuration: SESSION_ISSUER is required; SESSION_AUDIENCE is required; SESSION_JWKS_URL is required.',
  );
  expect(() => read({ SESSION_ISSUERS: '{' })).toThrow('SESSION_ISSUERS: is not JSON');
});
