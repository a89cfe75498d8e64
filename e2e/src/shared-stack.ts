import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Demo, readJsonFile } from '@action-platform/local';
import { freePort } from '@action-platform/local-servers';
import { askRun } from '@action-platform/testing';
import type { Json } from '@action-platform/testing/http';
import { afterAll, beforeAll } from '@jest/globals';
import { NPM_START, READY, runAdmin } from './local-platform.ts';
import { NOTES_FOLDER, notingCommands } from './mongodb-commands/noted-commands.ts';
import { Operator } from './operator.ts';

/** Short, so that tests need not wait for the entry that equal calls share. */
const AUDIT_WINDOW_MS = '3000';

const REPLICAS = 'gateway=2,grants=2,record-store=2';

/**
 * A platform as `npm start` runs it, with replicas, that a test run starts once for all test files that need only its
 * ordinary behaviour. Each file has Workspaces of its own and leaves the processes alone.
 */
export class SharedStack {
  directory = '';
  gateways: readonly string[] = [];
  operator!: Operator;

  /** Before the tests of a file the stack is ready; after them only this file's connection is closed, and the stack keeps running. */
  constructor() {
    beforeAll(async () => {
      this.directory = (await share()).folder;
      this.gateways = readJsonFile<Demo>(join(this.directory, 'demo.json'))!.gateways;
      this.operator = await Operator.of(this);
    });
    afterAll(() => this.operator.close());
  }

  /** A Workspace like the demo Workspace: an Owner and a Member with connected mail apps. */
  async workspace(): Promise<Demo> {
    const { operator, gateways } = this;
    const workspace = await operator.workspace();
    const person = async (role: 'owner' | 'member') => {
      const user = `${role}-${randomUUID().slice(0, 8)}`;
      const token = await operator.member(workspace, user, role);
      await operator.connectMail(workspace, user);
      return { user_id: user, token };
    };
    const [owner, member] = [await person('owner'), await person('member')];
    return { base_url: gateways[0]!, gateways, workspace_id: workspace, owner, member };
  }

  /** Runs the admin command against it and returns what it prints. */
  admin(...args: string[]): Promise<Json> {
    return runAdmin(this.directory, args);
  }

  /** Its output so far. */
  async output(): Promise<string> {
    return (await share()).output;
  }
}

async function share(): Promise<{ folder: string; output: string }> {
  return await askRun('share', 'stack', {
    args: [...NPM_START, '--replicas', REPLICAS],
    environment: {
      PORT: String(await freePort()),
      ERASURE_PAUSE_MS: '2000',
      FILES_RESCAN_SECONDS: '1',
      AUDIT_WINDOW_MS,
      ...notingCommands,
    },
    folderVariables: ['LOCAL_DIR', NOTES_FOLDER],
    ready: READY,
  });
}
