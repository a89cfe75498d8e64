import { createServer } from 'node:net';
import { services } from '@action-platform/contracts/services';
import type { Demo } from '@action-platform/local';
import { askRun, startTestBus } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { LocalPlatform, twoOf } from '../local-platform.ts';
import { push } from '../push.ts';

jest.setTimeout(300_000);

describe('npm start', () => {
  const stacks: LocalPlatform[] = [];
  const newStack = (replicas?: string) => {
    const stack = new LocalPlatform(replicas);
    stacks.push(stack);
    return stack;
  };
  /** Runs before and after each test. */
  const stack = newStack();
  let demo: Demo;
  beforeAll(async () => {
    stack.environment.REQUEST_DEADLINE_MS = '4000';
    demo = await stack.start();
  });
  afterAll(() => Promise.all(stacks.map((each) => each.remove())));

  test('keeps the data of its platform over a restart, and stops every process', async () => {
    const first = demo;
    expect(stack.output).toContain(first.owner.token);
    expect(stack.output).toContain(`Console, for a browser: ${first.base_url}/console\n`);
    expect(stack.output).toContain(`curl ${first.base_url}/api/v1/operations/`);
    const pushed = await push(first);
    expect(pushed.status).toBe(200);
    const pids = [...stack.pids('mongod'), ...stack.pids('nats-server'), ...stack.pids('services/')];
    // mongod, nats-server, the gateway and every service.
    expect(pids).toHaveLength(3 + services.length);
    expect(await stack.stop()).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();

    demo = await stack.start();
    expect(demo.workspace_id).toBe(first.workspace_id);
    expect((await push(demo)).json.result).toEqual(pushed.json.result);
    // A token stays valid after the restart, because the issuer keeps its key.
    expect((await push({ ...demo, owner: first.owner })).status).toBe(200);
  });

  test('runs two platforms side by side, with replicas', async () => {
    const other = newStack(twoOf('record-store', 'gateway'));
    const theirs = await other.start();
    expect(theirs.gateways).toHaveLength(2);
    expect(other.pids('services/record-store/')).toHaveLength(2);
    for (const base_url of theirs.gateways) expect((await push({ ...theirs, base_url })).status).toBe(200);
    // Each platform trusts its own issuer only.
    expect((await push({ ...theirs, owner: demo.owner })).status).toBe(401);
    await other.remove();
  });

  test('names the remedy when its port is in use', async () => {
    const refused = newStack();
    const occupant = createServer();
    await new Promise<void>((resolve) => {
      void refused.port().then((port) => occupant.listen(port, '127.0.0.1', resolve));
    });
    await expect(refused.start()).rejects.toThrow(/Port \d+ of 127\.0\.0\.1 is in use: .*PORT/);
    occupant.close();
  });

  test('ends with the reason when its servers refuse it', async () => {
    const bus = await startTestBus();
    const second = newStack();
    const { adminUrl } = await askRun('newDatabase', 'second');
    Object.assign(second.environment, { NATS_URL: bus.url, MONGODB_URL: adminUrl });
    await expect(second.start()).rejects.toThrow(
      /cannot run: cannot start: Wrong configuration: the NATS server at nats:.* refused the nkey of bus user/,
    );
    await bus.stop();
  });
});
