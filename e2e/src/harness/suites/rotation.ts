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
        const { users, accepted } = intrusions(deployment)[what];
        // Without this, a refusal for any other reason would look like that of a replaced credential.
        for (const user of new Set<string>(users).difference(new Set(await accepted())))
          found.push(`servers refuse the present ${what} of ${user}`);
        for (let n = 0; n < STEPS; n++) {
          const rotated = await rotate(readDeployment(deployment.folder)!, what);
          const actions = rotationActions[what][rotated.step];
          await step(`${what}: ${rotated.step}`, async () => {
            await deployment.apply(rotated.deployment, actions);
            if (actions.includes('restart')) await platform.restart();
          });
        }
        for (const user of await accepted()) found.push(`servers accept the replaced ${what} of ${user}`);
      }
      return found;
    }),
};

/** Credentials of some users, which may enter. */
interface Intrusion {
  readonly users: readonly string[];
  /** Tries each, and resolves with the users whom the servers accept. */
  accepted(): Promise<string[]>;
}

/** Keeps the present credentials of a deployment. */
function intrusions(running: TestDeployment): Readonly<Record<Rotatable, Intrusion>> {
  const seeds = busUsers.map((user) => [user, running.read(paths.seed(user))] as const);
  const urls = databaseUsers.map((user) => [user, running.read(paths.databaseUrl(user))] as const);
  const authority = running.read(paths.authority);
  return {
    keys: intrusion(seeds, (user, seed) => running.rogue(user, seed)),
    'database-users': intrusion(urls, (user, url) => running.client(user, url)),
    certificates: intrusion([['gateway', authority]] as const, (user, former) =>
      running.rogue(user, undefined, former),
    ),
  };
}

function intrusion<User extends string>(
  former: readonly (readonly [User, string])[],
  enter: (user: User, credentials: string) => Promise<{ close(): Promise<void> }>,
): Intrusion {
  const tryOne = async ([user, credentials]: readonly [User, string]) =>
    await (await enter(user, credentials)).close();
  return {
    users: former.map(([user]) => user),
    accepted: async () => {
      const tried = await Promise.allSettled(former.map(tryOne));
      return former.flatMap(([user], index) => (tried[index]!.status === 'fulfilled' ? [user] : []));
    },
  };
}
