import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '@action-platform/contracts/calls';
import { makeTestFolder } from '@action-platform/testing';
import { beforeEach, expect, test } from '@jest/globals';
import { exportWorkspace } from './export-workspace.ts';
import type { Platform } from './platform.ts';

/** Services that have three pages each; the call with this number fails. */
function services(failing: number): Pick<Platform, 'call'> {
  let calls = 0;
  const call = async ({ subject }: Call, { after = '0' }: { after?: string }) => {
    if (calls++ === failing) throw new Error('interrupted');
    const page = Number(after);
    return { lines: [`"${subject} ${page}"`], next: page < 2 ? String(page + 1) : null };
  };
  return { call: call as unknown as Platform['call'] };
}

const run = (to: string, failing = -1, workspace = 'ws_1') =>
  exportWorkspace.run({ workspace, to }, services(failing) as Platform) as Promise<object>;

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

test('an export that was interrupted anywhere continues, and has every line once', async () => {
  const whole = join(folder, 'whole');
  await run(whole);
  const lines = readFileSync(whole, 'utf8').trimEnd().split('\n');
  expect(lines.at(-1)).toBe(`{"type":"end","data":{"lines":${lines.length - 1}}}`);
  for (let failing = 0; failing < lines.length - 1; failing++) {
    const to = join(folder, `${failing}`);
    await expect(run(to, failing)).rejects.toThrow('interrupted');
    await expect(run(to, -1, 'ws_2')).rejects.toThrow('another Workspace');
    await run(to);
    expect(readFileSync(to, 'utf8')).toBe(readFileSync(whole, 'utf8'));
    expect(existsSync(`${to}.progress`)).toBe(false);
  }
  await expect(run(whole)).rejects.toThrow('exists');
});

test.each([
  ['removed', (to: string) => rmSync(to)],
  ['cut', (to: string) => truncateSync(to, 3)],
])('an interrupted export whose file was %s begins anew', async (_what, damage) => {
  const [to, whole] = ['to', 'whole'].map((name) => join(folder, name)) as [string, string];
  await run(whole);
  await expect(run(to, 5)).rejects.toThrow('interrupted');
  damage(to);
  await run(to);
  expect(readFileSync(to, 'utf8')).toBe(readFileSync(whole, 'utf8'));
});

test('of an unknown Workspace nothing is left', async () => {
  const to = join(folder, 'none');
  const call = (async () => ({ lines: [], next: null })) as unknown as Platform['call'];
  const exporting = exportWorkspace.run({ workspace: 'ws_none', to }, { call } as Platform);
  await expect(exporting).rejects.toThrow('there is no Workspace "ws_none"');
  expect([to, `${to}.progress`].some(existsSync)).toBe(false);
});
