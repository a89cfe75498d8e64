import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { callService } from '@action-platform/bus';
import { addMember, createWorkspace, setQuota } from '@action-platform/contracts/calls';
import { approvalRoutes } from '@action-platform/contracts/resources';
import { connectOperator, issueToken, localDirectory, readStack } from '@action-platform/local';
import { urlForMember } from '@action-platform/mongo';
import { Cursors, readSecretKeys } from '@action-platform/sealing';
import { connectAgent, postForm, registerAgent } from '@action-platform/testing/agents';
import { MongoClient } from 'mongodb';
import { descendants } from '../process/descendants.ts';
import { startProgram } from '../process/start-program.ts';
import { Api } from './api.ts';
import type { Bench, Contender } from './contender.ts';

/** The platform, with what its operator can do. */
export interface Platform extends Contender {
  /** Adds a Member to a Workspace, and calls as this Member. */
  member(workspace: string, user: string, role?: 'owner' | 'member'): Promise<Api>;
  /** A session token of a Member, valid for 12 hours. */
  tokenFor(workspaceId: string, userId: string): Promise<string>;
  /** The cursor of a position in a listing, without reading all pages before it. */
  cursorAt(listing: string, position: string): string;
  setQuota(workspace: string, bytes: number): Promise<void>;
  /** Sets the first rules of approvals of a Workspace, as its Owner, just signed in. */
  setRules(owner: Api, rules: readonly object[]): Promise<void>;
  /** An access token of an agent that a Member allows an operation on Collections, valid for ten minutes. */
  agentToken(member: Api, operation: string, collectionIds: readonly string[]): Promise<string>;
}

const CALL = { timeoutMs: 10_000 };
const CONNECT_TIMEOUT_MS = 60_000;

/**
 * Starts the platform as `npm start` does: with servers of its own and the shipped configuration, but without telemetry unless the version
 * says otherwise.
 *
 * @param version a checkout, and after it variables for its processes, with commas: `../before,OTEL_SDK_DISABLED=false`.
 */
export async function startPlatform(
  name: string,
  version: string,
  { folder, stops }: Bench,
): Promise<Platform> {
  const [checkout = '', ...variables] = version.split(',');
  const directory = localDirectory({ LOCAL_DIR: join(folder, name) });
  const given = Object.fromEntries(variables.map((text) => text.split(/=(.*)/s, 2)));
  const scripts = ['libs/toolchain/src/run.mjs', 'deploy/local/src/main.ts'];
  const stack = await startProgram(
    {
      title: name,
      args: scripts.map((script) => resolve(checkout, script)),
      environment: { OTEL_SDK_DISABLED: 'true', ...given, LOCAL_DIR: directory.root },
      logFile: join(folder, `${name}.log`),
    },
    stops,
  );
  const origin = stack.url;
  const bus = await connectOperator(readStack(directory), CONNECT_TIMEOUT_MS);
  stops.defer(() => bus.drain());
  const mongo = await MongoClient.connect(mongodUrl(directory.root));
  stops.defer(() => mongo.close());

  const tokenFor = (workspaceId: string, userId: string) => issueToken(directory, { workspaceId, userId });
  /** A token of the console for a Member who has just signed in. */
  const freshToken = ({ workspace: workspaceId, user: userId }: Api) =>
    issueToken(directory, { workspaceId, userId }, undefined, { authTime: Math.floor(Date.now() / 1000) });
  const member = async (workspace: string, user: string, role: 'owner' | 'member' = 'member') => {
    await callService(bus, addMember, { workspace, user, role }, CALL);
    return new Api(origin, { workspace, user, token: await tokenFor(workspace, user) });
  };
  return {
    name,
    origin,
    mongo,
    pids: descendants(stack.pid),
    failed: stack.failed,
    isPlatform: true,
    member,
    tokenFor,
    workspace: async () => {
      const { workspace_id } = await callService(bus, createWorkspace, { name: 'bench' }, CALL);
      return await member(workspace_id, 'owner', 'owner');
    },
    cursorAt: (listing, position) => {
      const keys = readFileSync(join(directory.keys, 'gateway/seal.keys'), 'utf8');
      return new Cursors(readSecretKeys('SEAL_KEYS', keys)).at(listing, position);
    },
    setQuota: async (workspace, bytes) => {
      await callService(bus, setQuota, { workspace, bytes }, CALL);
    },
    setRules: async (owner, rules) => {
      const token = await freshToken(owner);
      const { method, path } = approvalRoutes.setRules;
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ revision: 0, rules });
      const { ok, status } = await fetch(`${origin}${path}`, { method: method.toUpperCase(), headers, body });
      if (!ok) throw new Error(`The rules were refused: ${status}`);
    },
    agentToken: async (member, operation, collectionIds) => {
      const clientId = await registerAgent(origin);
      const asked = { clientId, operations: [operation], data: { collectionIds } };
      const { form } = await connectAgent(origin, await freshToken(member), asked);
      return (await postForm(origin, 'token', form)).json.access_token;
    },
  };
}

/** The address of a stack's mongod, with the rights of a member of its replica set. */
function mongodUrl(root: string): string {
  const { mongod } = JSON.parse(readFileSync(join(root, 'ports.json'), 'utf8')) as { mongod: number };
  // An earlier version has the file in another folder.
  const [keyFile = ''] = globSync(join(root, 'keys/**/key-file'));
  const key = readFileSync(keyFile, 'utf8').trim();
  return urlForMember(key, `mongodb://127.0.0.1:${mongod}/?directConnection=true`);
}
