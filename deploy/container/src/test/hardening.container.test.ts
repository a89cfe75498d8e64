import { services } from '@action-platform/contracts';
import { paths } from '@action-platform/deployment';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Container,
  containers,
  docker,
  evaluate,
  inside,
  nameOf,
  networkOf,
  until,
} from './compose-stack.ts';

const platform = ['gateway', ...services, 'issuer'];
const staying = [...platform, 'mongo', 'nats'];
const once = ['deployment', 'database-users', 'demo'];

let all: Map<string, Container>;
beforeAll(async () => {
  // A container that serves already is "starting" until the engine has asked it.
  await until(async () => {
    all = await containers();
    return all.values().every(({ State }) => State.Health?.Status !== 'starting');
  });
});

test('these are the containers: those that stay are healthy, the others have done their work', () => {
  expect([...all.keys()].toSorted()).toEqual([...staying, ...once].toSorted());
  const states = [...all].map(([service, { State }]) => [
    service,
    State.Status,
    State.Health?.Status ?? State.ExitCode,
  ]);
  const wanted = (service: string) =>
    once.includes(service)
      ? [service, 'exited', 0]
      : [service, 'running', service === 'issuer' ? 0 : 'healthy'];
  expect(states).toEqual([...all.keys()].map(wanted));
});

describe.each([...staying, ...once])('%s', (service) => {
  test('runs as an ordinary user, with a root it cannot write and limits of memory and processes', () => {
    const { Config, HostConfig } = all.get(service)!;
    expect(Config.User).toBe('1000:1000');
    expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, PidsLimit: 256 });
    expect(HostConfig.Memory).toBeGreaterThan(0);
  });
});

describe.each(staying)('inside %s', (service) => {
  test('the kernel says so too: no capability, none to be gained, nothing to be written', async () => {
    const status = await inside(service, 'cat', '/proc/1/status');
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    for (const set of ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(status).toMatch(new RegExp(`^${set}:\t0+$`, 'm'));
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    for (const path of ['/x', '/usr/local/bin/x', '/etc/x'])
      await expect(inside(service, 'touch', path)).rejects.toThrow(/Read-only file system/);
  });
});

test.each(platform)('%s is node itself, without a shell around it', async (service) => {
  expect((await inside(service, 'readlink', '/proc/1/exe')).trim()).toBe('/usr/local/bin/node');
});

test.each([...services])('%s sees its own secrets and nobody else’s', async (service) => {
  const files = (await inside(service, 'find', '/run/platform', '-type', 'f')).trim().split('\n');
  const own = [paths.seed(service), paths.databaseUrl(service), paths.authority];
  expect(files.toSorted()).toEqual(own.map((file) => `/run/platform/${file}`));
});

test('there is no way out but from where clients come in', async () => {
  const [{ IPAM }] = JSON.parse(await docker('network', 'inspect', networkOf('edge')));
  const outside = IPAM.Config[0].Gateway;
  // What answers there does not matter: a refusal has come back, no route or no answer has not.
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
  expect(found).toEqual(services.map((service) => [service, 'ENETUNREACH']));
  for (const server of ['mongo', 'nats']) {
    const networks = JSON.parse(
      await docker('inspect', '--format', '{{json .NetworkSettings.Networks}}', nameOf(server)),
    );
    expect(Object.keys(networks)).toEqual([networkOf(server === 'mongo' ? 'database' : 'bus')]);
  }
});

test('the gateway finds no database', async () => {
  const lookUp = `require('node:dns').lookup('mongo', (error) => console.log(error?.code ?? 'found'))`;
  expect((await evaluate('grants', lookUp)).trim()).toBe('found');
  expect((await evaluate('gateway', lookUp)).trim()).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
});
