import { setTimeout as delay } from 'node:timers/promises';
import { defaultLimits } from '@action-platform/contracts/limits';
import { type ProcessName, services } from '@action-platform/contracts/services';
import { adapted } from '@action-platform/deployment';
import { type Release, thisRelease } from '@action-platform/local/processes';
import { OWNER, operateEverything, useEverything } from '../../versions/everything.ts';
import type { Drill } from './unnoticed.ts';

/** How often every operation runs beside two versions, because the bus picks a replica at random. */
const ROUNDS = 3;
const REPLICAS = [1, 2];
/** After so long a call whose answer was lost has failed, in milliseconds. */
const ANSWERED_MS = defaultLimits.REQUEST_DEADLINE_MS + 1_000;

/**
 * Changes a platform from another version to this one, and back: servers first, then one replica of everything, then the other.
 * Half-way, each version has one replica of everything, so that each pair meets in each role. Every operation runs then too.
 *
 * @throws Error when a call beside the steady load has a wrong answer
 */
export async function changeAndBack(former: Release, { deployment, platform, step }: Drill): Promise<void> {
  const useAll = async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const workspaceId = await operateEverything((call, input) => platform.operate(call, input));
      const token = await platform.token(workspaceId, OWNER);
      for (const gateway of platform.gateways) await useEverything(gateway, token);
    }
  };
  const change = async (order: readonly ProcessName[], release: Release) => {
    for (const replica of REPLICAS) {
      for (const service of order) {
        const isMeant = (part: { service: ProcessName; replica: number }) =>
          part.service === service && part.replica === replica;
        await step(`${service} ${replica} → ${release.name}`, () => platform.restart(isMeant, release));
      }
      await step('every operation', useAll);
    }
  };
  const { place } = deployment.deployment;
  await step('servers', async () => {
    await deployment.apply(adapted(deployment.deployment, place), ['reload-bus', 'database-users']);
    await delay(ANSWERED_MS);
  });
  await change([...services, 'gateway'], thisRelease);
  await change(['gateway', ...services], former);
}
