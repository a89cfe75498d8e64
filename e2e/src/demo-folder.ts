import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Demo } from '@action-platform/local';
import { afterAll } from '@jest/globals';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder until the end of the test file, in which the commands of the pages find a Workspace as that of the demo. */
export function demoFolder(demo: Demo): string {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  folders.push(folder);
  writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo));
  return folder;
}
