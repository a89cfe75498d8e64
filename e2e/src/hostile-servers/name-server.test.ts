import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NameServer } from './name-server.ts';

const MANY = Array.from({ length: 1_000 }, (_, n) => `127.1.${n >> 8}.${n & 255}`);
const zone: Record<string, object> = {
  'one.test': { addresses: ['127.0.0.1'] },
  'alias.test': { alias: 'nowhere.test' },
  'many.test': { addresses: MANY },
};
const resolver = new Resolver({ timeout: 200, tries: 1 });
let server: NameServer;
beforeAll(async () => {
  server = await NameServer.start();
  server.zone = (name) => zone[name];
  resolver.setServers([server.address]);
});
afterAll(() => server.stop());

test('a resolver gets an address, a thousand over TCP, an alias without addresses, and silence', async () => {
  expect(await resolver.resolve4('one.test')).toEqual(['127.0.0.1']);
  expect((await resolver.resolve4('many.test')).toSorted()).toEqual(MANY.toSorted());
  expect(await resolver.resolveCname('alias.test')).toEqual(['nowhere.test']);
  expect(await resolver.resolve4('alias.test').catch(({ code }) => code)).toEqual([]);
  expect(await resolver.resolve6('one.test').catch(({ code }) => code)).toBe('ENODATA');
  await expect(resolver.resolve4('silent.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
});
