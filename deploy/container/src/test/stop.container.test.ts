import { expect, test } from '@jest/globals';
import { containerOf, containers, docker, untilReady } from './compose-stack.ts';

test('every container exits with 0 on stop, and the platform starts again with its data', async () => {
  const profiles = ['--profile', 'demo', '--profile', 'tls'];
  await docker('compose', ...profiles, 'stop');
  const ends = [...(await containers())].map(([service, { State }]) => [
    service,
    State.ExitCode,
    State.OOMKilled,
  ]);
  expect(ends).toEqual(ends.map(([service]) => [service, 0, false]));
  await docker('compose', ...profiles, 'up', '--no-build', '--detach');
  await docker('wait', await containerOf('demo'));
  await untilReady();
});
