import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import {
  addMember,
  type Call,
  operatorCalls,
  removeSender,
  setMemberRole,
} from '@action-platform/contracts/calls';
import { execute } from '@action-platform/testing/http';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(300_000);

describe('the admin command', () => {
  const stack = new SharedStack();
  let workspace: string;
  const memberOptions = (user: string) => ['--workspace', workspace, '--user', user];
  beforeAll(async () => {
    workspace = `${(await stack.admin('workspace', 'create', '--name', 'Test')).workspace_id}`;
  });

  test('shows the event of a write in its trace', async () => {
    const { base_url, owner } = await stack.workspace();
    const create = 'record_store.create_collection';
    const { headers } = await execute(base_url, owner.token, create, { name: 'traced' });
    let rows: unknown;
    do ({ rows } = await stack.admin('trace', String(headers['x-request-id'])));
    while (!JSON.stringify(rows).includes('"collection.created"'));
    const event = { kind: 'log', service: 'record-store', level: 'event', text: 'collection.created' };
    const fields = expect.objectContaining({ subject: expect.stringMatching(/^col_/) });
    expect(rows).toContainEqual(expect.objectContaining({ ...event, fields }));
  });

  test('refuses unknown Workspaces and users', async () => {
    const given = {
      ...{
        role: 'member',
        app: 'mail_suite',
        email: 'team@example.com',
        display_name: 'Team',
        everyone: true,
      },
      ...{ path: 'a.md', bytes: 1, grant: 'ogr_none', sender: 'snd_none', operation: 'custom.no_such' },
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
        /^member_not_found user: "nobody" is not /,
      );
    }
    expect(await attempt(removeSender, { workspace })).toMatch(/^sender_not_found /);
  });

  test('logs each action in the service, with the operator', async () => {
    await stack.admin('member', 'add', ...memberOptions('paul'), '--role', 'owner');
    await expect(
      stack.operator.call(setMemberRole, { workspace, user: 'paul', role: 'member' }),
    ).rejects.toThrow('last Owner');
    const lines = ['grants', 'grants-2'].flatMap((name) =>
      readFileSync(join(stack.directory, 'logs', `${name}.log`), 'utf8').split('\n'),
    );
    const logged = lines.filter((line) => line.includes('"user":"paul"')).map((line) => JSON.parse(line));
    const operator = `${userInfo().username}@${hostname()}`;
    const request_id = expect.stringMatching(/^req_[0-9a-f]{32}$/);
    for (const line of [
      { msg: 'operator', command: 'member add', operator, workspace, role: 'owner', request_id },
      { msg: 'operator refused', command: 'member role', code: 'last_owner' },
    ])
      expect(logged).toContainEqual(expect.objectContaining(line));
  });
});
