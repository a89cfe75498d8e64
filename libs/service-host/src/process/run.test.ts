import { spawnSync } from 'node:child_process';
import { WRONG_CONFIGURATION_EXIT } from '@action-platform/contracts';
import { platformProcess } from '@action-platform/local-servers';
import { expect, test } from '@jest/globals';

test('what is wrong with its configuration is told in one line, and the exit code says that starting it again is of no use', () => {
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'loud', HEALTH_PORT: 'none' };
  const started = spawnSync(process.execPath, platformProcess('procedures'), { env, encoding: 'utf8' });
  expect(started).toMatchObject({ status: WRONG_CONFIGURATION_EXIT, stderr: '' });
  expect(started.stdout.trim()).toMatch(/^.*LOG_LEVEL.*HEALTH_PORT.*$/);
});
