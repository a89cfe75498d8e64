import { setTimeout as delay } from 'node:timers/promises';
import type { Release } from '@action-platform/local/processes';
import { capacityOf, SteadyLoad, startBalancer, TestDeployment, tallyText } from '@action-platform/testing';
import { endWith, say } from '../../on-a-stack.ts';
import { checkUnnoticed } from '../checkers/unnoticed.ts';
import { DeployedPlatform } from '../platforms/deployed-platform.ts';
import { initDeployment } from '../platforms/release-of.ts';
import { report } from '../run.ts';
import { newWorkspace } from '../workload/make-fixture.ts';

/** How long the load continues after each step, in milliseconds. */
const PAUSE_MS = 1_000;
/** How many requests begin in a second: at most so many, and at most this share of what its new processes serve on this machine. */
const [PER_SECOND, SHARE] = [200, 0.5];

/** A platform that serves a steady load. */
export interface Drill {
  readonly deployment: TestDeployment;
  readonly platform: DeployedPlatform;
  /** Takes a step, and prints with its name what callers noticed. */
  step(name: string, work: () => Promise<unknown>): Promise<void>;
}

/**
 * Does work on a platform with TLS and two replicas of everything, under a steady load, and ends the process. Callers keep their
 * connections and never retry; a balancer gives each new connection to a gateway that is ready. The exit code is 1 when a caller
 * noticed something, or the work found a violation.
 *
 * @param former the version that the platform begins with; this one by default
 */
export async function unnoticed(
  former: Release | undefined,
  work: (drill: Drill) => Promise<readonly string[]>,
): Promise<never> {
  const undo: (() => Promise<unknown>)[] = [];
  const remove = async () => {
    for (const end of undo.toReversed()) await end();
  };
  return await endWith({ remove }, async () => {
    say(`Starting two replicas of everything, with TLS${former ? `, as ${former.name} has them` : ''} …`);
    const deployment = await TestDeployment.start({
      tls: true,
      ...(former && { make: (asked) => initDeployment(former, asked) }),
    });
    undo.push(() => deployment.stop());
    // At this level the logs have every request, so that the calls between versions can be counted.
    const platform = new DeployedPlatform(deployment, former, former && { LOG_LEVEL: 'debug' });
    undo.push(() => platform.remove());
    await platform.start();
    const { owners } = await newWorkspace(platform);
    const balancer = await startBalancer(platform.gateways);
    undo.push(() => balancer.close());
    const [owner] = owners;
    const capacity = await capacityOf(balancer.url, owner.token);
    const perSecond = Math.min(PER_SECOND, Math.ceil(SHARE * capacity));
    say(`The platform serves ${capacity.toFixed(0)} calls a second here; the load makes ${perSecond}.`);
    const load = await SteadyLoad.start({ url: balancer.url, demo: { owner }, perSecond });
    const step: Drill['step'] = async (name, take) => {
      const before = load.count();
      await take();
      await delay(PAUSE_MS);
      say(`${name}: ${tallyText(load.since(before))}`);
    };
    const found = await work({ deployment, platform, step });
    await load.stop();
    const tally = load.count();
    say(`All: ${tallyText(tally)}; longest answer ${load.longestMs.toFixed(0)} ms.`);
    return report([...found, ...checkUnnoticed(tally, balancer.refused)]);
  });
}
