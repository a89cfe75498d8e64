import { setTimeout as delay } from 'node:timers/promises';
import type { Prometheus } from '@action-platform/observability';
import { say } from '../on-a-stack.ts';
import type { Failure } from './failures.ts';
import type { Ground } from './ground.ts';
import type { Notices } from './notices.ts';

/** How long to wait for an alert, and for its end, in milliseconds: the longest windows have to pass. */
const FIRING_PATIENCE_MS = 180_000;
const PATIENCE_MS = 300_000;
const POLL_MS = 500;

/** Who watches the platform. */
export interface Watch {
  readonly prometheus: Prometheus;
  readonly notices: Notices;
}

/** What came of a failure. */
export interface Exercised {
  readonly alert: string;
  readonly cause: string;
  /** In seconds, from the failure until somebody was told, and from its end until somebody was told that it is over. */
  readonly firedAfter?: number;
  readonly overAfter?: number;
  readonly problem?: string;
}

/** Lets failures happen at the same time, each until its alert has been told, and tells what came of them. */
export async function exercise(
  failures: readonly Failure[],
  ground: Ground,
  watch: Watch,
): Promise<readonly Exercised[]> {
  for (const { alert } of failures) await untilSilent(alert, watch);
  watch.notices.takeHeard();
  const exercised = await Promise.all(failures.map((failure) => suffer(failure, ground, watch)));
  const names = failures.map(({ alert }) => alert);
  const others = watch.notices.takeHeard().filter((alert) => !names.includes(alert));
  for (const { alert, cause, firedAfter, overAfter, problem } of exercised) {
    const result = problem ?? `told after ${firedAfter} s, over after ${overAfter} s`;
    say(`${alert}: ${cause}: ${result}${others.length > 0 ? `; with it: ${others.join(', ')}` : ''}`);
  }
  return exercised;
}

async function suffer(
  { alert, cause, happen }: Failure,
  ground: Ground,
  { notices }: Watch,
): Promise<Exercised> {
  const told = { alert, cause };
  const since = stopwatch();
  const heal = await happen(ground);
  try {
    await notices.until(alert, 'firing', FIRING_PATIENCE_MS);
  } catch (error) {
    return { ...told, problem: (error as Error).message };
  } finally {
    await heal();
  }
  const firedAfter = since();
  const healed = stopwatch();
  try {
    await notices.until(alert, 'over', PATIENCE_MS);
    return { ...told, firedAfter, overAfter: healed() };
  } catch (error) {
    return { ...told, firedAfter, problem: (error as Error).message };
  }
}

/** An earlier failure may still keep it up. */
async function untilSilent(alert: string, { prometheus, notices }: Watch): Promise<void> {
  const isActive = async () =>
    (await prometheus.activeAlerts()).some(({ labels }) => labels.alertname === alert);
  const patience = performance.now() + PATIENCE_MS;
  while (await isActive()) {
    if (performance.now() > patience) throw new Error(`${alert} does not end.`);
    await delay(POLL_MS);
  }
  notices.forget(alert);
}

function stopwatch(): () => number {
  const begun = performance.now();
  return () => Math.round((performance.now() - begun) / 100) / 10;
}
