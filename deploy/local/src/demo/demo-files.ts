import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LocalDirectory } from '../local-directory.ts';
import { MEMBER, OWNER } from './demo-members.ts';

const FILES = {
  'company/handbook/welcome.md':
    '# Welcome\n\nEvery Member of the Workspace sees the files in this folder.\n',
  'company/price-list.csv': 'item,price\nwidget,1.00\n',
  [`personal/${OWNER}/notes.md`]: '# Notes\n\nOnly the demo Owner sees this file.\n',
  [`personal/${MEMBER}/todo.md`]: '# To do\n\nOnly the demo Member sees this file.\n',
};

/** Writes a few company and personal files for the demo Workspace. */
export function writeDemoFiles({ files }: LocalDirectory, workspaceId: string): void {
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(files, workspaceId, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
