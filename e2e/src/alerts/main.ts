/**
 * `npm run e2e -- alerts [-- NAME …]`: causes the failure of each alert, or of the named ones, on a platform of its own, and waits until
 * the alert fires in Prometheus and, after the repair, ends. Exits with 1 when an alert does not. promtool tests the rules unchanged
 * (`npm run check -- alerts`); this suite shortens their windows.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningPrometheus, startPrometheus } from '@action-platform/observability';
import { SteadyLoad } from '@action-platform/testing';
import { endWith, say } from '../on-a-stack.ts';
import { AlertPlatform } from './alert-platform.ts';
import { alwaysFiring, type Failure, failures } from './failures.ts';

const TIMES_SHORTER = 360;
const REQUESTS_PER_SECOND = 50;
/** How long the platform is healthy before the first failure, in milliseconds: rates need samples from before. */
const WARM_UP_MS = 20_000;
/** How long to wait for an alert to fire or end, in milliseconds. */
const TIMEOUT_MS = 300_000;
const POLL_MS = 500;

const names = [...new Set(failures.flat().map(({ alert }) => alert))];
const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !names.includes(name));
if (unknown !== undefined) {
  say(`Usage: npm run e2e -- alerts [-- NAME …]\n\nThe names: ${names.join(', ')}.`);
  process.exit(unknown === '--help' ? 0 : 1);
}

const platform = new AlertPlatform();
await endWith(platform, async () => {
  say('Starting a platform …');
  await platform.start();
  const { demo, directory } = platform;
  const prometheus = await startPrometheus(
    { LOCAL_DIR: directory },
    { data: join(directory, 'alerts'), interval: '1s', timesShorter: TIMES_SHORTER },
  );
  const load = await SteadyLoad.start({ url: demo.base_url, demo, perSecond: REQUESTS_PER_SECOND });
  say(`Windows and waits of the rules are ${TIMES_SHORTER} times shorter, but not below 10 s.`);
  await delay(WARM_UP_MS);
  const firing = await prometheus.firing();
  let isGood = alwaysFiring.every((name) => firing.includes(name));
  say(`${alwaysFiring}: ${isGood ? 'fires' : 'does not fire'}`);
  for (const group of failures) {
    const wanted = group.filter(({ alert }) => chosen.length === 0 || chosen.includes(alert));
    const outcomes = await Promise.all(wanted.map((failure) => exercise(failure, prometheus)));
    isGood &&= outcomes.every((isMet) => isMet);
  }
  await load.stop();
  await prometheus.stop();
  return isGood;
});

/** Causes a failure until its alert fires, repairs it, and waits for the alert to end. @returns whether it fired and ended in time */
async function exercise({ alert, cause, happen }: Failure, prometheus: RunningPrometheus): Promise<boolean> {
  // An earlier failure may still keep the alert up.
  const quiet = await secondsUntil(prometheus, alert, false);
  const repair = await happen(platform);
  const fired = quiet === undefined ? undefined : await secondsUntil(prometheus, alert, true);
  await repair();
  const ended = fired === undefined ? undefined : await secondsUntil(prometheus, alert, false);
  const after = (seconds: number | undefined) => (seconds === undefined ? 'never' : `after ${seconds} s`);
  say(`${alert}: ${cause}: fired ${after(fired)}, ended ${after(ended)}`);
  return ended !== undefined;
}

/** Waits until an alert fires, or does not. @returns how long that took, in seconds; undefined when it did not happen in time */
async function secondsUntil(
  prometheus: RunningPrometheus,
  alert: string,
  isFiring: boolean,
): Promise<number | undefined> {
  const begun = performance.now();
  while ((await prometheus.firing()).includes(alert) !== isFiring) {
    if (performance.now() - begun > TIMEOUT_MS) return undefined;
    await delay(POLL_MS);
  }
  return Math.round((performance.now() - begun) / 100) / 10;
}
