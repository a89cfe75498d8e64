import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '../contender.ts';
import type { PlatformVersion } from './platform.ts';

/** Runs a command of `npm run admin` and returns its output. */
export type Operator = (...args: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;

/** The operator of a running version of the platform. */
export function operatorOf({ folder, seeds }: PlatformVersion, { servers }: Environment): Operator {
  return async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['deploy/admin/src/main.ts', ...args], {
      cwd: folder,
      env: {
        ...process.env,
        NATS_URL: servers.nats.url,
        NATS_NKEY_SEED: seeds.admin,
        // The nats-server also serves contenders without credentials, and announces that to every client.
        ALLOW_INSECURE: '1',
      },
    });
    return JSON.parse(stdout);
  };
}

/** Creates a Workspace with an Owner who has a mailbox; returns its id. */
export async function createWorkspace(operator: Operator, name: string, owner: string): Promise<string> {
  const workspace = String((await operator('workspace', 'create', '--name', name)).workspace_id);
  const of = ['--workspace', workspace, '--user', owner];
  await operator('member', 'add', ...of, '--role', 'owner');
  const mailbox = ['--email', `${owner}@example.com`, '--provider', 'local'];
  await operator('app', 'connect', ...of, '--app', 'mail_suite', ...mailbox);
  return workspace;
}
