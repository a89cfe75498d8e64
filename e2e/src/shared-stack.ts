import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Demo } from '@action-platform/local';
import { readJsonFile } from '@action-platform/local';
import { freePort } from '@action-platform/local-servers';
import { askRun } from '@action-platform/testing';
import { Operator } from './operator.ts';
import { NPM_START, READY, runAdmin } from './stack-process.ts';

const REPLICAS = 'gateway=2,grants=2,record-store=2';

/**
 * A platform as `npm start` runs it, with replicas, for all test files that need no more than its ordinary behaviour: it
 * is started once per test run. They leave its processes alone and have Workspaces of their own.
 */
export class SharedStack {
  readonly directory: string;
  readonly gateways: readonly string[];
  readonly operator: Operator;

  private constructor(directory: string, { gateways }: Demo, operator: Operator) {
    this.directory = directory;
    this.gateways = gateways;
    this.operator = operator;
  }

  /** Resolves when it is ready. */
  static async join(): Promise<SharedStack> {
    const { folder: directory } = await share();
    const demo = readJsonFile<Demo>(join(directory, 'demo.json'))!;
    return new SharedStack(directory, demo, await Operator.of({ directory }));
  }

  /** A Workspace with an Owner and a Member who have connected their mail app, as the demo Workspace has them. */
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
  admin(...args: string[]): Record<string, unknown> {
    return runAdmin(this.directory, args);
  }

  /** What it has printed so far. */
  async output(): Promise<string> {
    return (await share()).output;
  }

  /** Leaves it to the others. */
  async leave(): Promise<void> {
    await this.operator.close();
  }
}

async function share(): Promise<{ folder: string; output: string }> {
  return await askRun('share', 'stack', {
    args: [...NPM_START, '--replicas', REPLICAS],
    environment: { PORT: String(await freePort()) },
    folderVariable: 'LOCAL_DIR',
    ready: READY,
  });
}
