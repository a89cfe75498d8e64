import { setTimeout as delay } from 'node:timers/promises';
import type { Release } from '@action-platform/local/processes';
import { SteadyLoad, startBalancer, TestDeployment, tallyText } from '@action-platform/testing';
import { endWith, say } from '../on-a-stack.ts';
import { DeployedPlatform } from './deployed-platform.ts';
import { initDeployment } from './release-of.ts';

/** How long the load continues after each step, in milliseconds. */
const PAUSE_MS = 1_000;

/** A platform that serves a steady load. */
export interface Drill {
  readonly deployment: TestDeployment;
  readonly platform: DeployedPlatform;
  /** Takes a step, and prints with its name what callers noticed. */
  step(name: string, work: () => Promise<unknown>): Promise<void>;
}

interface DrillOptions {
  /** How many requests begin in a second. */
  readonly perSecond: number;
  /** The version that the platform begins with; this one by default. */
  readonly former?: Release | undefined;
}

/**
 * Does work on a platform with TLS and two replicas of everything, under a steady load, and ends the process. Callers keep their
 * connections and never retry; a balancer gives each new connection to a gateway that is ready. The exit code is 1 when a request
 * failed, a gateway refused a connection, or the work returns false.
 */
export async function underLoad(
  { perSecond, former }: DrillOptions,
  work: (drill: Drill) => Promise<boolean>,
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
    const started = former && { release: former, environment: { LOG_LEVEL: 'debug' } };
    const platform = await DeployedPlatform.start(deployment, started);
    undo.push(() => platform.stop());
    const demo = await platform.workspace();
    const balancer = await startBalancer(platform.gateways);
    undo.push(() => balancer.close());
    const load = await SteadyLoad.start({ url: balancer.url, demo, perSecond });
    const step: Drill['step'] = async (name, take) => {
      const before = load.count();
      await take();
      await delay(PAUSE_MS);
      say(`${name}: ${tallyText(load.since(before))}`);
    };
    const isGood = await work({ deployment, platform, step });
    await load.stop();
    const total = load.count();
    const refused = `${balancer.refused} connections refused`;
    say(`All: ${tallyText(total)}, ${refused}; longest answer ${load.longestMs.toFixed(0)} ms.`);
    return isGood && total.failed.size === 0 && balancer.refused === 0;
  });
}
