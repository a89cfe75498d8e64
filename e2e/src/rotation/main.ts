/**
 * `npm run e2e -- rotation`: replaces the keys, database users and certificates of a whole platform, as docs/operations.md says,
 * under 200 requests a second. It exits with 1 when a request fails, or when a server still accepts a replaced
 * credential afterwards.
 */
import { busUsers } from '@action-platform/contracts';
import {
  databaseUsers,
  paths,
  type Rotatable,
  readDeployment,
  rotatable,
  rotate,
  rotationActions,
} from '@action-platform/deployment';
import { SteadyLoad, startBalancer, TestDeployment, tallyText } from '@action-platform/testing';
import { DeployedPlatform } from '../availability/deployed-platform.ts';
import { say } from '../on-a-stack.ts';

/** How many requests begin in a second. */
const REQUESTS_PER_SECOND = 200;

const seconds = () => `${(performance.now() / 1_000).toFixed(0).padStart(4)} s`;

say('Starting two replicas of everything, with TLS …');
const deployment = await TestDeployment.start({ tls: true });
const platform = await DeployedPlatform.start(deployment);
const { gateways } = platform;
let acceptedAgain = 0;
try {
  const demo = await platform.workspace();
  const balancer = await startBalancer(gateways);
  const load = await SteadyLoad.start({ url: balancer.url, demo, perSecond: REQUESTS_PER_SECOND });
  for (const what of rotatable) {
    const intrude = intrusions(deployment);
    for (let n = 0; n < 3; n++) {
      const before = load.count();
      const { deployment: after, step } = await rotate(readDeployment(deployment.folder)!, what);
      const actions = rotationActions[what][step];
      await deployment.apply(after, actions);
      if (actions.includes('restart')) await platform.restart();
      say(`${seconds()}  ${what}: ${step}, ${tallyText(load.since(before))}`);
    }
    const accepted = await intrude[what]();
    acceptedAgain += accepted.length;
    say(
      `${seconds()}  ${what}: ${accepted.length === 0 ? 'the replaced credentials are refused' : `still accepted: ${accepted.join(', ')}`}`,
    );
  }
  await load.stop();
  const total = load.count();
  say(
    `${tallyText(total)}, ${balancer.refused} connections refused; longest answer ${load.longestMs.toFixed(0)} ms.`,
  );
  process.exitCode = total.failed.size + balancer.refused + acceptedAgain === 0 ? 0 : 1;
  await balancer.close();
} finally {
  await platform.stop();
  await deployment.stop();
}
process.exit();

/** Remembers the present credentials of a deployment. @returns functions that try them and resolve with the accepted users */
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
  const accepted: string[] = [];
  for (const [user, credentials] of former) {
    await enter(user, credentials).then(
      () => accepted.push(user),
      () => {},
    );
  }
  return accepted;
}
