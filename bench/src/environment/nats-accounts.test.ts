import { createBusKeys, natsServerConfig } from '@action-platform/bus';
import { expect, test } from '@jest/globals';
import { natsServerConfigOf } from './nats-accounts.ts';

test('every version of the platform has its users in an account of its own, and others have one without credentials', () => {
  const keys = Object.entries(createBusKeys()).map(([user, { publicKey }]) => [user, publicKey] as const);
  const config = natsServerConfig(Object.fromEntries(keys) as never, 3_000_000);
  const text = natsServerConfigOf([
    { account: 'a', config },
    { account: 'b', config },
  ]);
  const accounts = JSON.parse(/^accounts: (.*)^no_auth_user: bench$/ms.exec(text)![1]!);
  const nkeysOf = (account: string) => accounts[account].users.map(({ nkey }: { nkey: string }) => nkey);
  expect(Object.keys(accounts)).toEqual(['others', 'a', 'b']);
  expect(nkeysOf('a')).toEqual(keys.map(([, publicKey]) => publicKey));
  expect(nkeysOf('b')).toEqual(nkeysOf('a'));
  expect(accounts.others.users).toEqual([{ user: 'bench', password: 'bench' }]);
  expect(text).toMatch(/^max_payload: 3000000$/m);
});

test('a configuration of another form is refused', () => {
  expect(() => natsServerConfigOf([{ account: 'a', config: 'port: 4222' }])).toThrow('does not know');
});
