import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addMember,
  type Call,
  operatorCalls,
  removeSender,
  services,
  setMemberRole,
} from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { askRun, startTestBus } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SharedStack } from './shared-stack.ts';
import { execute, RETRY_AFTER_MS, StackProcess } from './stack-process.ts';

jest.setTimeout(300_000);

const push = async (demo: { base_url: string; owner: { token: string } }) => {
  const call = (operation: string, input: object) =>
    execute(demo.base_url, demo.owner.token, operation, input);
  const created = await call('record_store.create_collection', { name: 'notes' });
  if (created.status !== 200) return created;
  const collection = (created.body.result as unknown as { collection: { id: string } }).collection.id;
  return await call('record_store.push_record', {
    collection_id: collection,
    payload: { a: 1 },
    idempotency_key: 'k',
  });
};

describe('npm start', () => {
  const stacks: StackProcess[] = [];
  const newStack = () => {
    const stack = new StackProcess();
    stacks.push(stack);
    return stack;
  };
  /** Runs before and after each test. */
  const stack = newStack();
  let demo: Demo;
  beforeAll(async () => {
    stack.environment.REQUEST_DEADLINE_MS = '4000';
    stack.environment.SECRET_OF_THE_SHELL = 'not for services';
    demo = await stack.start();
  });
  afterAll(() => Promise.all(stacks.map((each) => each.remove())));

  test('keeps the data of its platform over a restart, and stops every process', async () => {
    const first = demo;
    expect(stack.output).toContain(first.owner.token);
    expect(stack.output).toContain(`curl ${first.base_url}/api/v1/operations/`);
    const pushed = await push(first);
    expect(pushed.status).toBe(200);
    const pids = [...stack.pids('mongod'), ...stack.pids('nats-server'), ...stack.pids('services/')];
    // mongod, nats-server, the gateway and every service.
    expect(pids).toHaveLength(3 + services.length);
    for (const pid of stack.pids('services/')) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('SECRET_OF_THE_SHELL');
    }
    expect(await stack.stop()).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();

    demo = await stack.start();
    expect(demo.workspace_id).toBe(first.workspace_id);
    expect((await push(demo)).body.result).toEqual(pushed.body.result);
    // A token stays valid after the restart, because the issuer keeps its key.
    expect((await push({ ...demo, owner: first.owner })).status).toBe(200);
  });

  test('runs two platforms side by side, with replicas', async () => {
    const other = newStack();
    const theirs = await other.start('--replicas', 'record-store=2,gateway=2');
    expect(theirs.gateways).toHaveLength(2);
    expect(other.pids('services/record-store/')).toHaveLength(2);
    for (const base_url of theirs.gateways) expect((await push({ ...theirs, base_url })).status).toBe(200);
    // Each trusts its own issuer only.
    expect((await push({ ...theirs, owner: demo.owner })).status).toBe(401);
    await expect(new StackProcess(stack.directory).start()).rejects.toThrow(
      /already running in .*set LOCAL_DIR/,
    );
    await other.remove();
  });

  test('restarts every killed process', async () => {
    for (const program of [
      'mongod',
      'nats-server',
      'services/grants/',
      'services/record-store/',
      'services/gateway/',
    ]) {
      const [pid] = stack.pids(program);
      process.kill(pid!, 'SIGKILL');
      let answer = await push(demo);
      while (answer.status !== 200 || [undefined, pid].includes(stack.pids(program)[0])) {
        await sleep(RETRY_AFTER_MS);
        answer = await push(demo);
      }
    }
    expect(stack.output.match(/ended \(.*\); starting it again\./g)).toHaveLength(5);
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

  test('explains wrong options', async () => {
    await expect(newStack().start('--replicas', 'nonsense=2')).rejects.toThrow(/--replicas takes name=count/);
  });
});

describe('the admin command', () => {
  let stack: SharedStack;
  let workspace: string;
  const memberOptions = (user: string) => ['--workspace', workspace, '--user', user];
  beforeAll(async () => {
    stack = await SharedStack.join();
    workspace = `${stack.admin('workspace', 'create', '--name', 'Test').workspace_id}`;
  });
  afterAll(() => stack.leave());

  test('manages Workspaces, Members, tokens and quotas of the running platform', async () => {
    const base_url = stack.gateways[0]!;
    const olga = memberOptions('olga');
    expect(stack.admin('member', 'add', ...olga, '--role', 'owner')).toMatchObject({
      member: { user_id: 'olga', role: 'owner' },
    });
    const { token } = stack.admin('token', ...olga) as { token: string };
    expect((await push({ base_url, owner: { token } })).status).toBe(200);
    expect(stack.admin('quota', 'set', '--workspace', workspace, '--bytes', '10')).toEqual({ quota: 10 });
    expect(stack.admin('quota', 'show', '--workspace', workspace)).toEqual({ quota: 10, stored_bytes: 7 });
    expect(() => stack.admin('member', 'role', ...olga, '--role', 'member')).toThrow(/last Owner/);
    expect(stack.admin('member', 'role', ...olga, '--role', 'member', '--force')).toMatchObject({
      member: { role: 'member' },
    });
    expect((await push({ base_url, owner: { token } })).status).not.toBe(200);
    expect(() => stack.admin('quota', 'show', '--workspace', 'ws_none')).toThrow(/no Workspace/);
    stack.admin('member', 'remove', ...olga);
    expect(stack.admin('member', 'list', '--workspace', workspace)).toMatchObject({
      members: [{ user_id: 'olga', status: 'removed' }],
    });
    const refused = await execute(base_url, token, 'record_store.list_collections', {});
    expect(refused.body.error?.code).toBe('workspace_membership_required');
    expect(() => stack.admin('member', 'add', '--workspace', 'ws_none', '--user', 'x')).toThrow(
      /status|failed/i,
    );
  });

  test('refuses unknown Workspaces and users', async () => {
    const given = {
      role: 'member',
      app: 'mail_suite',
      email: 'team@example.com',
      display_name: 'Team',
      path: 'a.md',
      bytes: 1,
      grant: 'ogr_none',
      sender: 'snd_none',
      everyone: true,
    };
    const attempt = async (call: Call, places: object) =>
      await stack.operator.call(call, { ...given, ...places }).then(
        () => `${call.subject} was done`,
        ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
      );
    const about = (field: string) => operatorCalls.filter(({ input }) => field in input.shape);
    for (const call of about('workspace')) {
      const refusal = await attempt(call, { workspace: 'ws_none', user: 'nobody' });
      expect(refusal).toBe('invalid_request workspace: there is no Workspace "ws_none".');
    }
    for (const call of about('user').filter((each) => each !== addMember)) {
      expect(await attempt(call, { workspace, user: 'nobody' })).toMatch(
        /^invalid_request user: "nobody" is not /,
      );
    }
    expect(await attempt(removeSender, { workspace })).toMatch(/^invalid_request sender: /);
  });

  test('logs each action in the service, with the operator', async () => {
    stack.admin('member', 'add', ...memberOptions('paul'), '--role', 'owner');
    await expect(
      stack.operator.call(setMemberRole, { workspace, user: 'paul', role: 'member' }),
    ).rejects.toThrow('last Owner');
    const lines = ['grants', 'grants-2'].flatMap((name) =>
      readFileSync(join(stack.directory, 'logs', `${name}.log`), 'utf8').split('\n'),
    );
    const logged = lines.filter((line) => line.includes('"user":"paul"')).map((line) => JSON.parse(line));
    const operator = `${userInfo().username}@${hostname()}`;
    expect(logged).toContainEqual(
      expect.objectContaining({
        msg: 'operator',
        command: 'member add',
        operator,
        workspace,
        role: 'owner',
        request_id: expect.stringMatching(/^req_[0-9a-f]{32}$/),
      }),
    );
    expect(logged).toContainEqual(
      expect.objectContaining({ msg: 'operator refused', command: 'member role', code: 'invalid_request' }),
    );
  });

  test('connects mailboxes, and adds senders and files', async () => {
    const mona = memberOptions('mona');
    const token = await stack.operator.member(workspace, 'mona', 'member');
    const call = async (operation: string) =>
      (await execute(stack.gateways[0]!, token, operation, {})).body as Record<string, object>;
    const mailbox = ['--app', 'mail_suite', '--email', 'mona@example.com'];
    expect(stack.admin('app', 'connect', ...mona, ...mailbox)).toMatchObject({
      connection: { id: expect.any(String) },
    });
    const shared = ['--workspace', workspace, '--email', 'team@example.com', '--display-name', 'Team'];
    const { sender } = stack.admin('sender', 'add', ...shared, '--interactive', '--member', 'mona');
    const { senders } = (await call('mail.list_authorized_senders')).result as { senders: object[] };
    expect(senders).toHaveLength(2);
    expect(senders).toContainEqual(
      expect.objectContaining({ sender_id: (sender as { sender_id: string }).sender_id }),
    );
    stack.admin('app', 'disconnect', ...mona, '--app', 'mail_suite');
    expect((await call('mail.list_authorized_senders')).error).toMatchObject({
      code: 'connected_app_required',
    });

    const files = [
      stack.admin('files', 'add', '--workspace', workspace, '--path', 'handbook.md').file,
      stack.admin('files', 'add', ...mona, '--path', 'plan.md').file,
    ];
    const { groups } = (await call('knowledge.list_visible_files')).result as {
      groups: { files: object[] }[];
    };
    expect(groups.map((group) => group.files)).toEqual([[files[0]], [files[1]]]);
    expect(stack.admin('files', 'list', ...mona)).toEqual({ files: [files[1]], next_after: null });
  });
});
