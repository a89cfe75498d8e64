import { type Bus, callService, connectBus } from '@action-platform/bus';
import {
  addMailbox,
  addMember,
  connectApp,
  createWorkspace,
  largestMessageBytes,
  limitsSchema,
} from '@action-platform/contracts';
import { issueToken } from '../issuer/token.ts';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { LocalDirectory } from '../local-directory.ts';
import { readStack } from '../stack/stack-file.ts';
import { writeDemoFiles } from './demo-files.ts';
import { MEMBER, OWNER } from './demo-members.ts';

/** What a script needs to try the platform. */
export interface Demo {
  readonly base_url: string;
  readonly gateways: readonly string[];
  readonly workspace_id: string;
  readonly owner: { readonly user_id: string; readonly token: string };
  readonly member: { readonly user_id: string; readonly token: string };
}

const CALL = { timeoutMs: 10_000 };

/** Makes sure that the demo workspace exists, and writes down how to use it with fresh tokens. */
export async function prepareDemo(directory: LocalDirectory, gateways: readonly string[]): Promise<Demo> {
  const known = readJsonFile<Demo>(directory.demoFile)?.workspace_id;
  const workspaceId = known ?? (await createDemoWorkspace(directory));
  const credentials = async (userId: string) => ({
    user_id: userId,
    token: await issueToken(directory, { workspaceId, userId }),
  });
  const demo = {
    base_url: gateways[0]!,
    gateways,
    workspace_id: workspaceId,
    owner: await credentials(OWNER),
    member: await credentials(MEMBER),
  };
  writeJsonFile(directory.demoFile, demo);
  return demo;
}

async function createDemoWorkspace(directory: LocalDirectory): Promise<string> {
  const { nats_url, admin_seed } = readStack(directory);
  const maxMessageBytes = largestMessageBytes(limitsSchema.parse({}));
  const bus = await connectBus({ url: nats_url, user: 'admin', seed: admin_seed, maxMessageBytes });
  try {
    const { workspace_id: workspace } = await callService(bus, createWorkspace, { name: 'Demo' }, CALL);
    await addDemoMember(bus, workspace, OWNER, 'owner');
    await addDemoMember(bus, workspace, MEMBER, 'member');
    writeDemoFiles(directory, workspace);
    return workspace;
  } finally {
    await bus.drain();
  }
}

async function addDemoMember(
  bus: Bus,
  workspace: string,
  user: string,
  role: 'owner' | 'member',
): Promise<void> {
  await callService(bus, addMember, { workspace, user, role }, CALL);
  const mailbox = { workspace, user, email: `${user}@example.com`, provider: 'local' };
  const { connection_id: connection } = await callService(bus, addMailbox, mailbox, CALL);
  await callService(bus, connectApp, { workspace, user, app: 'mail_suite', connection }, CALL);
}
