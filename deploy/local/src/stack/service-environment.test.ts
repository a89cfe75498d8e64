import { readFileSync } from 'node:fs';
import { limitsSchema } from '@action-platform/contracts/limits';
import { services } from '@action-platform/contracts/services';
import { expect, test } from '@jest/globals';
import { localDirectory } from '../local-directory.ts';
import { everyService, serviceEnvironment } from './service-environment.ts';

const directory = localDirectory({ LOCAL_DIR: '/local' });
const shell = {
  PATH: '/bin',
  TZ: 'UTC',
  LC_ALL: 'C',
  NODE_OPTIONS: '--trace-warnings',
  OTEL_TRACES_EXPORTER: 'console',
  LOG_LEVEL: 'debug',
  PAGE_MAX_BYTES: '1000',
};
const secrets = { AWS_SECRET_ACCESS_KEY: 's', GITHUB_TOKEN: 's', npm_config_registry: 'r', PATHS: 's' };
const ofOne = {
  SESSION_MAX_LIFETIME: '60',
  FILES_RESCAN_SECONDS: '1',
  MAIL_LOCAL_DRAFT_URL_BASE: 'file:///drafts/',
};
const environmentOf = (service: 'gateway' | (typeof services)[number]) =>
  serviceEnvironment(service, directory, { ...shell, ...secrets, ...ofOne });

test.each([
  ['gateway', { SESSION_MAX_LIFETIME: '60' }],
  ['grants', { CUSTOM_OPERATION_HTTP_TO_LOOPBACK: 'true' }],
  ['record-store', {}],
  [
    'mail',
    {
      MAIL_LOCAL_DRAFT_URL_BASE: 'file:///drafts/',
      MAIL_LOCAL_DIR: '/local/mail',
      MAIL_LOCAL_FOR_MEMBERS: 'true',
    },
  ],
  ['knowledge', { FILES_RESCAN_SECONDS: '1', FILES_DIR: '/local/files' }],
] as const)('%s gets the common variables and its own', (service, own) => {
  expect(environmentOf(service)).toEqual({ ...shell, ...own });
});

test('the credentials of a bucket reach knowledge alone', () => {
  for (const service of ['gateway', ...services] as const) {
    const passed = serviceEnvironment(service, directory, { ...secrets, FILES_S3_BUCKET: 'files' });
    expect(passed.AWS_SECRET_ACCESS_KEY).toBe(service === 'knowledge' ? 's' : undefined);
    expect(passed).not.toHaveProperty('GITHUB_TOKEN');
  }
});

test('docs/configuration.md lists the variables of every service', () => {
  const page = readFileSync('docs/configuration.md', 'utf8');
  const [listed] = /^The local stack passes its services(?:.+\n)+/m.exec(page)!;
  const limits = Object.keys(limitsSchema.shape);
  for (const name of everyService.filter((each) => !limits.includes(each)))
    expect(listed).toContain(`\`${name}\``);
});

test.each([...services])('%s gets no other variable of the shell', (service) => {
  for (const name of Object.keys(secrets)) expect(environmentOf(service)).not.toHaveProperty(name);
});
