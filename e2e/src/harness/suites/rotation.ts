import { busUsers } from '@action-platform/contracts/services';
import {
  databaseUsers,
  paths,
  type Rotatable,
  readDeployment,
  rotatable,
  rotate,
  rotationActions,
} from '@action-platform/deployment';
import type { TestDeployment } from '@action-platform/testing';
import type { Suite } from '../run.ts';
import { unnoticed } from './unnoticed.ts';

const STEPS = 3;

/** Replaces keys, database users and certificates, as docs/operations.md says. No server accepts a replaced one afterwards. */
export const rotation: Suite = {
  options: {},
  run: async () =>
    await unnoticed(undefined, async ({ deployment, platform, step }) => {
      const found: string[] = [];
      for (const what of rotatable) {
        const intrude = intrusions(deployment);
        for (let n = 0; n < STEPS; n++) {
          const rotated = await rotate(readDeployment(deployment.folder)!, what);
          const actions = rotationActions[what][rotated.step];
          await step(`${what}: ${rotated.step}`, async () => {
            await deployment.apply(rotated.deployment, actions);
            if (actions.includes('restart')) await platform.restart();
          });
        }
        for (const user of await intrude[what]())
          found.push(`servers accept the replaced ${what} of ${user}`);
      }
      return found;
    }),
};

/** Keeps the present credentials of a deployment. @returns functions that try them and resolve with the accepted users */
function intrusions(running: TestDeployment): Readonly<Record<Rotatable, () => Promise<string[]>>> {
  const seeds = busUsers.map((user) => [user, running.read(paths.seed(user))] as const);
  const urls = databaseUsers.map((user) => [user, running.read(paths.databaseUrl(user))] as const);
  const authority = running.read(paths.authority);
  return {
    keys: () => acceptedUsers(seeds, (user, seed) => running.rogue(user, seed)),
    'database-users': () => acceptedUsers(urls, (user, url) => running.client(user, url)),
    certificates: () =>
      acceptedUsers([['gateway', authority]] as const, (user, former) =>
        running.rogue(user, undefined, former),
      ),
  };
}

async function acceptedUsers<User extends string>(
  former: readonly (readonly [User, string])[],
  enter: (user: User, credentials: string) => Promise<unknown>,
): Promise<string[]> {
  const tried = await Promise.allSettled(former.map(([user, credentials]) => enter(user, credentials)));
  return former.flatMap(([user], index) => (tried[index]!.status === 'fulfilled' ? [user] : []));
}
