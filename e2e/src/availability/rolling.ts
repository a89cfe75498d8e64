/**
 * Restarts every process of the platform, one after the other, under a steady load, and reports what its callers noticed:
 * `npm run e2e -- rolling --help`. Callers keep their connections and never retry; a balancer gives each new connection to
 * a gateway that is ready.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { processes } from '@action-platform/contracts';
import { SteadyLoad, startBalancer, TestDeployment, tallyText } from '@action-platform/testing';
import { endWith, say } from '../on-a-stack.ts';
import { changeAndBack } from './change-release.ts';
import { DeployedPlatform } from './deployed-platform.ts';
import { countMeetings } from './meetings.ts';
import { initDeployment, releaseOf } from './release-of.ts';

const usage = `npm run e2e -- rolling [options]

  --rate 200        requests per second
  --rounds 1        how often everything is restarted
  --from COMMIT     begins with this older version of the platform, changes it to this one, and back`;

const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '1' },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** How long the load continues after each restart, in milliseconds. */
const PAUSE_MS = 1_000;
if (options.help) {
  say(usage);
  process.exit();
}

const undo: (() => Promise<unknown>)[] = [];
const remove = async () => {
  for (const end of undo.toReversed()) await end();
};
await endWith({ remove }, async () => {
  const former = options.from === undefined ? undefined : await releaseOf(options.from);
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
  const load = await SteadyLoad.start({ url: balancer.url, demo, perSecond: Number(options.rate) });
  const step = async (name: string, work: () => Promise<void>) => {
    const before = load.count();
    await work();
    await delay(PAUSE_MS);
    say(`${name}: ${tallyText(load.since(before))}`);
  };

  for (let round = 0; round < Number(options.rounds); round++) {
    if (former !== undefined) await changeAndBack(former, deployment, platform, step);
    else
      for (const service of processes)
        await step(service, () => platform.restart((part) => part.service === service));
  }
  await load.stop();
  const total = load.count();
  const refused = `${balancer.refused} connections refused`;
  say(`All: ${tallyText(total)}, ${refused}; longest answer ${load.longestMs.toFixed(0)} ms.`);
  const meetings = former === undefined ? [] : countMeetings(deployment.folder, former);
  for (const { gateway, service, calls } of meetings)
    say(`${calls} calls of gateways of ${gateway} were answered by services of ${service}.`);
  return total.failed.size === 0 && balancer.refused === 0 && meetings.every(({ calls }) => calls > 0);
});
