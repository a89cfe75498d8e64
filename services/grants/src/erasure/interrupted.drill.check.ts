import { setTimeout as delay } from 'node:timers/promises';
import { deleteWorkspace, eraseCall, listWorkspaces } from '@action-platform/contracts/calls';
import { services } from '@action-platform/contracts/services';
import type { TestProcess } from '@action-platform/testing';
import { beforeAll, expect, test } from '@jest/globals';
import { testAuthority } from '../test-support/test-authority.ts';
import { LEASE_MS } from './workspace-deletion.ts';

const HOUR_MS = 3_600_000;

const authority = testAuthority({ replicas: 0 });
let replica: TestProcess;
/** The Workspace whose erasure ends the process of grants. */
let poisoned = '';
beforeAll(async () => {
  for (const service of services.filter((name) => name !== 'grants'))
    await authority.platform.answer(eraseCall(service), ({ workspaceId }) => {
      if (workspaceId === poisoned) replica.signal('SIGKILL');
      return { isDone: true, removed: 0 };
    });
});

async function start(): Promise<void> {
  replica = await authority.platform.spawn('grants', { ERASURE_PAUSE_MS: '300', AUDIT_WINDOW_MS: '100' });
}

test('an erasure that ends its process waits longer each time, is named in a warning, and holds up no other', async () => {
  await start();
  poisoned = (await authority.member({ role: 'owner' })).workspaceId;
  await authority.admin(deleteWorkspace, { workspace: poisoned, grace_days: 0 });
  const { workspaces } = await authority.collections();
  const waits: number[] = [];
  for (let crashes = 1; crashes <= 3; crashes++) {
    expect(await replica.exited).toBe('SIGKILL');
    const { lease } = (await workspaces.findOne({ _id: poisoned }))!;
    waits.push(Math.round((lease!.until.getTime() - Date.now()) / LEASE_MS));
    const setUntil = (until: Date) =>
      workspaces.updateOne({ _id: poisoned }, { $set: { 'lease.until': until } });
    await setUntil(new Date(Date.now() + HOUR_MS));
    const isWarned = () =>
      replica.lines.some((line) => line.includes(`"workspace":"${poisoned}","failures"`));
    while (crashes > 1 && !isWarned()) await delay(20);
    await start();
    const { workspaceId: workspace } = await authority.member({ role: 'owner' });
    await authority.admin(deleteWorkspace, { workspace, grace_days: 0 });
    const isListed = async () =>
      (await authority.admin(listWorkspaces, {})).workspaces.some(
        ({ workspace_id }) => workspace_id === workspace,
      );
    while (await isListed()) await delay(20);
    if (crashes < 3) await setUntil(new Date(0));
  }
  expect(waits).toEqual([1, 2, 4]);
}, 240_000);
