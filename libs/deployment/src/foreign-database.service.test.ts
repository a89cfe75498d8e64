import { services } from '@action-platform/contracts/services';
import { askRun } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { adapted, createDeployment, type Deployment } from './deployment.ts';
import { filesOf } from './files.ts';
import { establishUsersThrough } from './prepare-database.ts';

let url: string;
let client: MongoClient;
let deployment: Deployment;
beforeAll(async () => {
  url = (await askRun('newDatabase', 'foreign')).adminUrl;
  client = await new MongoClient(url).connect();
  const settings = { seenAt: '/', busHosts: [], databaseUrl: url, maxMessageBytes: 1 };
  deployment = await createDeployment(settings, { tls: false });
  await establishUsersThrough(url, deployment);
});
afterAll(async () => {
  for (const { user } of await users()) await client.db('admin').command({ dropUser: user });
  await client.close();
});

async function users(): Promise<{ user: string; roles: object[] }[]> {
  const filter = { 'customData.deployment': deployment.id };
  return (await client.db('admin').command({ usersInfo: 1, filter })).users;
}

test('a MongoDB outside the deployment gets one user per service, and no user with further roles', async () => {
  const roles = (await users()).flatMap((user) => user.roles);
  expect(roles).toHaveLength(services.length);
  expect(roles).toEqual(expect.arrayContaining(services.map((db) => ({ role: 'readWrite', db }))));
});

test('the deployment does not store the credentials of the administrator', async () => {
  const settings = {
    ...deployment.place,
    databaseUrl: 'mongodb://somebody:s%2Fcret@db:1/?authSource=staff&w=2',
  };
  for (const made of [await createDeployment(settings, { tls: false }), adapted(deployment, settings)]) {
    const written = [JSON.stringify(made), ...filesOf(made).values()].join('');
    expect(written).not.toMatch(/somebody|cret|staff/);
    expect(made.place.databaseUrl).toBe('mongodb://db:1/?w=2');
  }
});
