import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Bus, callService } from '@action-platform/bus';
import { busHeaders } from '@action-platform/contracts/bus';
import {
  addMember,
  connectApp,
  createWorkspace,
  listMembers,
  refreshFiles,
} from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
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

/**
 * Creates the demo Workspace, unless the platform has it with its Owner, and writes its `demo.json` with new tokens.
 *
 * @param say gets a line when another Workspace takes the place of the one in `demo.json`.
 */
export async function prepareDemo(
  directory: LocalDirectory,
  access: OperatorAccess,
  gateways: readonly string[],
  say: (line: string) => void,
): Promise<Demo> {
  const workspaceId = await demoWorkspace(directory, access, say);
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

async function demoWorkspace(
  directory: LocalDirectory,
  access: OperatorAccess,
  say: (line: string) => void,
): Promise<string> {
  // `prepareDemo` writes the Owner once the Workspace is complete.
  const { workspace_id: known, owner } = readJsonFile<Partial<Demo>>(directory.demoFile) ?? {};
  const bus = await connectOperator(access);
  try {
    const users = known === undefined ? undefined : await activeUsersOf(bus, known);
    if (known !== undefined && users !== undefined) {
      if (owner === undefined) await fill(bus, directory, known);
      if (owner === undefined || users.includes(OWNER)) return known;
    }
    if (known !== undefined)
      say(`The platform has no Workspace ${known} with the demo's Owner: the demo gets another Workspace.`);
    const named = { name: 'Demo' };
    const { workspace_id } = await callService(bus, createWorkspace, named, asOperator());
    writeJsonFile(directory.demoFile, { workspace_id });
    await fill(bus, directory, workspace_id);
    return workspace_id;
  } finally {
    await bus.drain();
  }
}

/** The active Members of a Workspace; undefined when the platform does not have the Workspace. */
async function activeUsersOf(bus: Bus, workspace: string): Promise<string[] | undefined> {
  try {
    const { members } = await callService(bus, listMembers, { workspace }, asOperator());
    return members.filter(({ state }) => state === 'active').map(({ userId }) => userId);
  } catch (error) {
    if (error instanceof ActionError && error.code === 'invalid_request') return undefined;
    throw error;
  }
}

/** Adds the users of the demo with their mailboxes, and its files; a repetition completes what is missing. */
async function fill(bus: Bus, directory: LocalDirectory, workspace: string): Promise<void> {
  for (const user of [OWNER, MEMBER]) {
    const role = user === OWNER ? 'owner' : 'member';
    await callService(bus, addMember, { workspace, user, role }, asOperator());
    const mailbox = { app: 'mail_suite', email: `${user}@example.com`, provider: 'local' } as const;
    await callService(bus, connectApp, { workspace, user, ...mailbox }, asOperator());
  }
  writeDemoFiles(directory, workspace);
  await callService(bus, refreshFiles, {}, asOperator());
}

/** Writes a few company and personal files for the demo Workspace. */
function writeDemoFiles({ files }: LocalDirectory, workspaceId: string): void {
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(files, workspaceId, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
