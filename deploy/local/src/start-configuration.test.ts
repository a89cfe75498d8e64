import { ownVariables, WrongConfiguration } from '@action-platform/contracts/configuration';
import { commonConfig } from '@action-platform/service-host';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { localDirectory } from './local-directory.ts';
import { readOptions } from './options.ts';
import { readStartConfiguration, startVariables } from './start-configuration.ts';

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

test('a wrong value of any variable of any process is named', () => {
  const schemas = [startVariables, commonConfig, ...Object.values(ownVariables)];
  const names = [...new Set(schemas.flatMap(({ shape }) => Object.keys(shape)))];
  const session = {
    SESSION_ISSUER: 'https://a.test',
    SESSION_AUDIENCE: 'a',
    SESSION_JWKS_URL: 'https://a.test/',
  };
  const urls = fc.constantFrom(
    'keys.example.com/jwks',
    'http://',
    'https://[',
    '//a',
    'https://a:b',
    'a:',
    ':',
  );
  const issuers = urls.map((jwks_url) => JSON.stringify([{ issuer: 'b', audience: 'b', jwks_url }]));
  const values = fc.oneof(
    urls,
    issuers,
    fc.webUrl(),
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.double().map(String),
  );
  fc.assert(
    fc.property(fc.constantFrom(...names), values, (name, value) => {
      try {
        read({ ...session, [name]: value });
      } catch (error) {
        expect(error).toBeInstanceOf(WrongConfiguration);
        expect((error as Error).message).toContain(name);
      }
    }),
    { numRuns: 3000 },
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
