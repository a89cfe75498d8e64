import { TestDeployment } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Rotatable, rotate } from './deployment.ts';
import { paths } from './files.ts';
import { readDeployment } from './folder.ts';
import { prepareDatabase, reloadCertificates } from './prepare-database.ts';
import { rotationActions } from './rotation-actions.ts';

let running: TestDeployment;
beforeAll(async () => {
  running = await TestDeployment.start({ tls: true });
});
afterAll(() => running.stop());

/** Takes the next step with its actions, as an operator does. */
async function step(what: Rotatable): Promise<string> {
  const { deployment, step: taken } = await rotate(readDeployment(running.folder)!, what);
  await running.apply(deployment, rotationActions[what][taken]);
  return taken;
}

describe('keys', () => {
  test('of two generations work during a rotation, and only the new ones after it', async () => {
    const seed = paths.seed('mail');
    const former = running.read(seed);
    const connected = await running.rogue('mail', former);

    expect(await step('keys')).toBe('add');
    expect(running.read(seed)).toBe(former);
    await (await running.rogue('mail', former)).flush();

    expect(await step('keys')).toBe('use');
    expect(running.read(seed)).not.toBe(former);
    for (const each of [former, running.read(seed)]) await (await running.rogue('mail', each)).flush();
    // The connection has stayed open.
    await connected.flush();

    expect(await step('keys')).toBe('remove');
    await running.rogue('mail');
    await connected.closed;
    await expect(running.rogue('mail', former)).rejects.toThrow('Authorization Violation');
  });
});

describe('database users', () => {
  const find = async (client: Awaited<ReturnType<TestDeployment['client']>>) =>
    await client.db('mail').collection('things').findOne();

  test('of two generations work during a rotation, and only the new ones after it', async () => {
    const path = paths.databaseUrl('mail');
    const former = running.read(path);
    const connected = await running.client('mail', former);
    await find(connected);

    expect(await step('database-users')).toBe('add');
    expect(running.read(path)).toBe(former);
    expect(await step('database-users')).toBe('use');
    expect(running.read(path)).not.toBe(former);
    for (const url of [former, running.read(path)]) await find(await running.client('mail', url));
    await find(connected);

    expect(await step('database-users')).toBe('remove');
    await find(await running.client('mail'));
    await expect(find(connected)).rejects.toThrow(/requires authentication|not find user/);
    await expect(running.client('mail', former)).rejects.toThrow('Authentication failed');
  });
});

describe('certificates', () => {
  test('of every step are trusted by clients with the file of the previous step', async () => {
    const both = async () => {
      await (await running.rogue('mail')).flush();
      await running.client('mail');
    };
    const first = running.read(paths.authority);

    expect(await step('certificates')).toBe('add');
    const bundle = running.read(paths.authority);
    expect(bundle.startsWith(first)).toBe(true);
    await both();

    expect(await step('certificates')).toBe('use');
    await both();
    expect(running.read(paths.authority).endsWith(first)).toBe(true);
    await expect(running.rogue('mail', undefined, first)).rejects.toThrow(/certificate/);

    expect(await step('certificates')).toBe('remove');
    expect(running.read(paths.authority)).toBe(bundle.slice(first.length).trim());
    await both();
  });
});

test('the operator’s commands need no file at the path that the servers see', async () => {
  const { deployment } = running;
  const elsewhere = { ...deployment, place: { ...deployment.place, seenAt: '/nowhere' } };
  await prepareDatabase(elsewhere);
  await reloadCertificates(elsewhere);
});
