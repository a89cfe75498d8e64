/**
 * `npm run e2e -- hostile-servers`: twenty tenants name hostile hosts, mail servers and endpoints beside honest neighbours, first on
 * processes that run, then while processes are killed. Exits with 1 when a neighbour fails or is slower than while the same servers are
 * ordinary, when a process ends by itself, and when one takes more memory than its container has.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startBalancer } from '@action-platform/testing';
import { readCommandLine } from '@action-platform/toolchain';
import { killAtRandom, victims } from '../harness/faults/processes.ts';
import { report } from '../harness/run.ts';
import { LocalPlatform } from '../local-platform.ts';
import { endWith, say } from '../on-a-stack.ts';
import { CONTAINER_HEAP, largerThanContainers, ProcessWatch } from '../watch-processes.ts';
import { Attack } from './attack.ts';
import { type HostileNames, PUBLIC_NETWORKS } from './hostile-names.ts';
import type { HostileServers } from './hostile-servers.ts';
import { type Measured, Neighbours, type Time } from './neighbours.ts';
import { PASSWORD, startServers } from './servers.ts';
import { newTenant, type Tenant } from './tenants.ts';

const HOSTILE = 20;
const HONEST = 4;
/** The most that the median of a neighbour may grow by: by this factor or so many milliseconds. */
const MOST_GROWTH = 1.2;
const MOST_GROWTH_MS = 10;
/** How long a load runs before it is measured, in milliseconds. */
const WARM_UP_MS = 10_000;
/** How long the platform may take to be ready after the last kill, and webhooks to arrive then, in milliseconds. */
const READY_WITHIN_MS = 60_000;
const ARRIVE_WITHIN_MS = 90_000;
const POLL_MS = 1_000;

const { seconds, kills, seed } = readCommandLine<{ seconds: number; kills: number; seed: string }>(
  'npm run e2e -- hostile-servers',
  {
    seconds: [30, 'of each measurement: two beside ordinary servers, and in turn two beside hostile ones'],
    kills: [90, 'seconds of kills'],
    seed: [String(Date.now() % 1_000_000), 'of the kills'],
  },
);

const endedAlone = (name: string) => `${name} ended by itself`;

const servers = await startServers();
const platform = new LocalPlatform('', {
  ...Object.fromEntries(
    ['WEBHOOK', 'CUSTOM_OPERATION', 'MAIL'].map((what) => [`${what}_ALLOWED_NETWORKS`, PUBLIC_NETWORKS]),
  ),
  NODE_OPTIONS: `${CONTAINER_HEAP} --import=${asking(servers.names.server)}`,
});
platform.environment.NODE_EXTRA_CA_CERTS = join(platform.directory, 'authority.pem');
writeFileSync(platform.environment.NODE_EXTRA_CA_CERTS, servers.authority);
const removeBoth = { remove: async () => void (await Promise.all([platform.remove(), servers.stop()])) };
await endWith(removeBoth, async () => {
  say(`Starting a platform; seed ${seed} …`);
  await platform.start();
  const balancer = await startBalancer(platform.gateways);
  const watch = new ProcessWatch(platform);
  const hostile = await newTenants(HOSTILE, 'hostile', (tenant) => ({
    endpoints: [
      ...servers.names.namesOf(tenant).map((name) => servers.names.urlOf(name)),
      ...servers.hostile.urls,
    ],
    mailPorts: servers.hostile.mailPorts,
  }));
  const honest = await newTenants(HONEST, 'honest', () => ({
    endpoints: [servers.honest.url],
    mailPorts: [servers.honest.mail.port],
  }));
  const neighbours = new Neighbours(honest, servers.honest.endpoint);
  neighbours.start();
  const attack = new Attack(hostile, (tenant) => servers.names.namesOf(tenant));
  attack.start();
  // One thread of mail is busy at a time: two would take both processors of a small machine.
  attack.startMail(1);
  const before: Time[] = [];
  const beside: Time[] = [];
  // In turn, because the speed of a machine changes.
  for (const times of [before, beside, before, beside]) {
    servers.names.isHostile = times === beside;
    await servers.hostile.become(times === beside);
    times.push(await loadedTime());
  }
  attack.startMail(HOSTILE);
  const end = performance.now() + kills * 1_000;
  await killAtRandom(platform, {
    ...{ among: victims, seed: Number(seed), onKill: watch.killed },
    isEnough: () => performance.now() > end,
  });
  const isReady = await Promise.race([platform.ready().then(() => true), delay(READY_WITHIN_MS, false)]);
  if (!isReady) return report([...watch.stop().ended.map(endedAlone), 'the platform was not ready again']);
  await attack.stop();
  await neighbours.stop();
  const until = performance.now() + ARRIVE_WITHIN_MS;
  while (neighbours.missing().length > 0 && performance.now() < until) await delay(POLL_MS);
  const { ended, memory } = watch.stop();
  await balancer.close();

  say(`${neighbours.count} calls of neighbours; ${servers.names.askedFor} hostile names were asked for`);
  return report([
    // Now that each call has its outcome.
    ...grown(neighbours.medians(before), neighbours.medians(beside)),
    ...neighbours.refused(),
    ...neighbours.repeated([...before, ...beside]),
    ...neighbours.missing().map((record) => `no neighbour got the webhook of ${record}`),
    ...ended.map(endedAlone),
    ...largerThanContainers(memory, say),
    ...(servers.names.reached > 0 ? ['a connection reached a private address'] : []),
    ...idle(servers.names, await servers.hostile.become(false)),
  ]);

  async function newTenants(
    count: number,
    kind: string,
    serversOf: (tenant: number) => Pick<Parameters<typeof newTenant>[2], 'endpoints' | 'mailPorts'>,
  ): Promise<Tenant[]> {
    const { authority } = servers;
    const tenants: Tenant[] = [];
    // The sign-ins follow each other: mail signs in at a few servers at once, and refuses a sign-in that waits too long.
    for (let n = 0; n < count; n++) {
      const named = { authority, password: PASSWORD, name: `${kind}-${n}`, ...serversOf(n) };
      tenants.push(await newTenant(platform, balancer.url, named));
    }
    return tenants;
  }
});

/** The module that makes a process ask a name server, with the address of the server. */
function asking(server: string): string {
  return `${new URL('ask-name-server.ts', import.meta.url)}?${server}`;
}

/** Some seconds of a load that has run for a while. */
async function loadedTime(): Promise<Time> {
  await delay(WARM_UP_MS);
  const from = performance.now();
  await delay(seconds * 1_000);
  return [from, performance.now()];
}

/** The medians that grew too much, a line each. */
function grown(before: Record<Measured, number>, beside: Record<Measured, number>): string[] {
  return (Object.keys(before) as Measured[]).flatMap((kind) => {
    say(`${kind.padEnd(18)} p50 ${before[kind]} ms, beside hostile servers ${beside[kind]} ms`);
    const most = Math.max(before[kind] * MOST_GROWTH, before[kind] + MOST_GROWTH_MS);
    return beside[kind] <= most ? [] : [`hostile servers delay the ${kind} of neighbours`];
  });
}

/** The hostile servers that the platform did not use, a line each: such a run shows nothing. */
function idle(names: HostileNames, misbehaved: Awaited<ReturnType<HostileServers['become']>>): string[] {
  const all = HOSTILE * names.namesOf(0).length;
  return [
    ...(names.askedFor < all ? [`only ${names.askedFor} of ${all} hostile names were asked for`] : []),
    ...misbehaved.flatMap(([kind, times]) =>
      times === 0 ? [`the platform did not use the server of kind ${kind}`] : [],
    ),
  ];
}
