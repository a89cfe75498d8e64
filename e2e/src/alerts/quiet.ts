import { setTimeout as delay } from 'node:timers/promises';
import { operations } from '@action-platform/contracts';
import { Prometheus, startWatchers } from '@action-platform/observability';
import { say } from '../on-a-stack.ts';
import { Callers } from './callers.ts';
import type { Ground } from './ground.ts';
import { Notices } from './notices.ts';

/** The rules as they are, under an ordinary load: whether no alert fires, and none is about to. */
export async function quietMinutes(ground: Ground, forMs: number, perSecond: number): Promise<boolean> {
  const notices = await Notices.listen();
  const watching = { interval: '2s', timesShorter: 1, webhook: notices.url };
  const watchers = await startWatchers({ LOCAL_DIR: ground.stack.directory }, watching, 'quiet');
  const callers = new Callers(ground.demo, perSecond);
  const prometheus = new Prometheus(watchers.prometheus);
  const from = Date.now() / 1_000;
  await delay(forMs);
  const lines = await prometheus.lines('ALERTS', from, Date.now() / 1_000);
  const series =
    'sum by (operation_id) (http_server_request_duration_count{http_response_status_code="200"})';
  const called = await prometheus.lines(series, from, Date.now() / 1_000);
  const pending = (await prometheus.activeAlerts()).map(({ labels }) => labels.alertname);
  await callers.stop();
  await watchers.stop();
  await notices.close();

  const outcomes = [...callers.outcomes].map(([outcome, times]) => `${times} × ${outcome}`);
  say(`${forMs / 60_000} minutes of ordinary load: ${outcomes.join(', ')}`);
  if (callers.firstFailure !== undefined) say(`The first that failed: ${callers.firstFailure}`);
  const uncalled = [...operations.keys()].filter(
    (id) => !called.some(({ metric }) => metric.operation_id === id),
  );
  if (uncalled.length > 0) say(`Not called: ${uncalled.join(', ')}`);
  const states = (state: string) => [
    ...new Set(
      lines.filter(({ metric }) => metric.alertstate === state).map(({ metric }) => metric.alertname),
    ),
  ];
  const fired = [...new Set([...states('firing'), ...notices.takeHeard()])];
  say(
    `Fired: ${fired.join(', ') || 'none'}. About to fire at the end: ${pending.join(', ') || 'none'}. For a while about to: ${states('pending').join(', ') || 'none'}.`,
  );
  return fired.length + pending.length + uncalled.length === 0 && callers.firstFailure === undefined;
}
