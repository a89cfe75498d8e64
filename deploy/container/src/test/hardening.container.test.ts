import { services } from '@action-platform/contracts/services';
import { keyedServices, paths } from '@action-platform/deployment';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Container, containers, docker, evaluate, inside, networkOf, until } from './compose-stack.ts';

const platform = ['gateway', ...services, 'issuer'];
const staying = [...platform, 'mongo', 'nats', 'proxy'];
const once = ['deployment', 'database-users', 'sign-in', 'demo'];

let all: Map<string, Container>;
beforeAll(async () => {
  // A container is "starting" until its first health check.
  await until(async () => {
    all = await containers();
    return all.values().every(({ State }) => State.Health?.Status !== 'starting');
  });
});

test('containers that stay are healthy, the others exited with 0', () => {
  expect([...all.keys()].toSorted()).toEqual([...staying, ...once].toSorted());
  const states = [...all].map(([service, { State }]) => [
    service,
    State.Status,
    State.Health?.Status ?? State.ExitCode,
  ]);
  const wanted = (service: string) =>
    once.includes(service)
      ? [service, 'exited', 0]
      : [service, 'running', ['issuer', 'proxy'].includes(service) ? 0 : 'healthy'];
  expect(states).toEqual([...all.keys()].map(wanted));
});

describe.each(staying)('inside %s', (service) => {
  test('the kernel grants no capability, no new privileges and no write to the root', async () => {
    const status = await inside(service, 'cat', '/proc/1/status');
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    // Caddy's binary starts only where its file capability is allowed.
    const bounding = service === 'proxy' ? [] : ['CapBnd'];
    for (const set of ['CapPrm', 'CapEff', 'CapAmb', ...bounding])
      expect(status).toMatch(new RegExp(`^${set}:\t0+$`, 'm'));
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    for (const path of ['/x', '/usr/local/bin/x', '/etc/x'])
      await expect(inside(service, 'touch', path)).rejects.toThrow(/Read-only file system/);
  });
});

test('the image holds no tests, checks or generators of pages', async () => {
  const files = await inside(
    'gateway',
    'find',
    '/platform',
    '-type',
    'f',
    '-not',
    '-path',
    '*/node_modules/*',
  );
  expect(files).toContain('/platform/services/gateway/src/main.ts');
  const others = /\.(test|check|suite)\.ts$|-md\.ts$|\/(test|test-support|observability)\//;
  expect(files.split('\n').filter((file) => others.test(file))).toEqual([]);
});

test.each(platform)('process 1 of %s is node', async (service) => {
  expect((await inside(service, 'readlink', '/proc/1/exe')).trim()).toBe('/usr/local/bin/node');
});

test.each([...services])('%s reads its own secrets and no others', async (service) => {
  const files = (await inside(service, 'find', '/run/platform', '-type', 'f')).trim().split('\n');
  const keys = keyedServices.filter((keyed) => keyed === service).map(paths.secretKeys);
  const sealing = paths.sealKeys(service);
  const own = [paths.seed(service), paths.databaseUrl(service), sealing, ...keys, paths.authority];
  const path = (file: string) => `/run/platform/${file.replace(`${service}/`, 'credentials/')}`;
  expect(files.toSorted()).toEqual(own.map(path));
});

test('no network but edge has a route out; of the services those that call other servers are on it', async () => {
  const [{ IPAM }] = JSON.parse(await docker('network', 'inspect', networkOf('edge')));
  const outside = IPAM.Config[0].Gateway;
  // A refused connection shows a route; no answer shows none.
  const reach = (service: string) =>
    evaluate(
      service,
      `const socket = require('node:net').connect({ host: '${outside}', port: 9, timeout: 3000 });
       const tell = (text) => { console.log(text); process.exit(0); };
       socket.on('connect', () => tell('out')).on('timeout', () => tell('no answer'))
         .on('error', ({ code }) => tell(code === 'ECONNREFUSED' ? 'out' : code));`,
    ).then((text) => text.trim());
  expect(await reach('gateway')).toBe('out');
  const found = await Promise.all(services.map(async (service) => [service, await reach(service)]));
  const callers = ['grants', 'events', 'custom-operations'];
  expect(found).toEqual(
    services.map((service) => [service, callers.includes(service) ? 'out' : 'ENETUNREACH']),
  );
});
