import { randomBytes } from 'node:crypto';
import {
  type Deployment,
  prepareDatabase,
  readDeployment,
  rotate,
  writeDeployment,
} from '@action-platform/deployment';
import { readStack, writeStack } from '@action-platform/local';
import type { LocalPlatform } from '../../local-platform.ts';
import { replace, victims } from './processes.ts';

/**
 * Replaces the keys of the bus, the users of the databases and, from the second time on, the key that seals, and kills each process of a
 * local platform, which starts again with them. The servers accept no replaced credential afterwards.
 */
export async function rotateUnderKills(platform: LocalPlatform): Promise<void> {
  const { keys } = platform.places;
  const take = async (change: (deployment: Deployment) => Deployment = (same) => same) => {
    let deployment = change(readDeployment(keys)!);
    for (const what of ['keys', 'database-users'] as const) ({ deployment } = await rotate(deployment, what));
    writeDeployment(keys, deployment);
    return deployment;
  };
  const accept = async (deployment: Deployment) => {
    for (const pid of platform.pids('nats-server')) process.kill(pid, 'SIGHUP');
    await prepareDatabase(deployment);
  };
  await accept(await take(withNextSeal));
  const { busKeys } = await take();
  writeStack(platform.places, { ...readStack(platform.places), admin_seed: busKeys.inUse.admin.seed });
  await platform.reconnect();
  for (const victim of victims) for (const pid of platform.pids(victim)) await replace(platform, victim, pid);
  await accept(await take());
}

/** The deployment in which the key that was added last seals, once every process has it, and another one is added. */
function withNextSeal(deployment: Deployment): Deployment {
  const present = deployment.sealKeys!.split(',');
  const added = `key-${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`;
  return { ...deployment, sealKeys: [present.at(-1)!, ...present.slice(0, -1), added].join(',') };
}
