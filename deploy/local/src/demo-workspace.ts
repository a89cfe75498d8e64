import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callService } from '@action-platform/bus';
import { busHeaders } from '@action-platform/contracts/bus';
import { addMember, connectApp, createWorkspace, refreshFiles } from '@action-platform/contracts/calls';
import { newRequestId } from '@action-platform/contracts/ids';
import { issueToken } from './issuer/tokens.ts';
import { type LocalDirectory, readJsonFile, writeJsonFile } from './local-directory.ts';
import { connectOperator, type OperatorAccess } from './stack/bus-access.ts';

/** The addresses, ids and tokens with which a script can try the platform. */
export interface Demo {
  readonly base_url: string;
  readonly gateways: readonly string[];
  readonly workspace_id: string;
  readonly owner: { readonly user_id: string; readonly token: string };
  readonly member: { readonly user_id: string; readonly token: string };
}

const OWNER = 'demo-owner';
const MEMBER = 'demo-member';

const FILES = {
  'company/handbook/welcome.md':
    '# Welcome\n\nEvery Member of the Workspace sees the files in this folder.\n',
  'company/price-list.csv': 'item,price\nwidget,1.00\n',
  [`personal/${OWNER}/notes.md`]: '# Notes\n\nOnly the demo Owner sees this file.\n',
  [`personal/${MEMBER}/todo.md`]: '# To do\n\nOnly the demo Member sees this file.\n',
};

const TIMEOUT_MS = 10_000;

/** The options of a call that the audit log names. */
const asOperator = () => ({
  headers: { [busHeaders.requestId]: newRequestId(), [busHeaders.operator]: 'npm start' },
  timeoutMs: TIMEOUT_MS,
});

/** Creates the demo workspace unless it exists, and writes its `demo.json` with new tokens. */
export async function prepareDemo(
  directory: LocalDirectory,
  access: OperatorAccess,
  gateways: readonly string[],
): Promise<Demo> {
  const known = readJsonFile<Demo>(directory.demoFile)?.workspace_id;
  const workspaceId = known ?? (await createDemoWorkspace(directory, access));
  const credentials = async (userId: string) => ({
    user_id: userId,
    token: await issueToken(directory, { workspaceId, userId }),
  });
  const [owner, member] = [await credentials(OWNER), await credentials(MEMBER)];
  const demo = { base_url: gateways[0]!, gateways, workspace_id: workspaceId, owner, member };
  writeJsonFile(directory.demoFile, demo);
  return demo;
}

/** The demo Workspace and its users; none before the first start created it. */
export function demoUsers({ demoFile }: LocalDirectory) {
  const workspaceId = readJsonFile<Demo>(demoFile)?.workspace_id;
  return workspaceId === undefined ? { workspaceId: '', users: [] } : { workspaceId, users: [OWNER, MEMBER] };
}

async function createDemoWorkspace(directory: LocalDirectory, access: OperatorAccess): Promise<string> {
  const bus = await connectOperator(access);
  try {
    const named = { name: 'Demo' };
    const { workspace_id: workspace } = await callService(bus, createWorkspace, named, asOperator());
    for (const user of [OWNER, MEMBER]) {
      const role = user === OWNER ? 'owner' : 'member';
      await callService(bus, addMember, { workspace, user, role }, asOperator());
      const mailbox = { app: 'mail_suite', email: `${user}@example.com`, provider: 'local' } as const;
      await callService(bus, connectApp, { workspace, user, ...mailbox }, asOperator());
    }
    writeDemoFiles(directory, workspace);
    await callService(bus, refreshFiles, {}, asOperator());
    return workspace;
  } finally {
    await bus.drain();
  }
}

/** Writes a few company and personal files for the demo Workspace. */
function writeDemoFiles({ files }: LocalDirectory, workspaceId: string): void {
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(files, workspaceId, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
