/** Sends open loads, a process of its own. */
import { setTimeout as delay } from 'node:timers/promises';
import { serveJobs } from '../../environment/worker.ts';
import { chooser } from '../../load/chooser.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { OpenLoad, OpenResult } from './open-load.ts';
import { OpenTally } from './open-tally.ts';

/** How long it waits for the last answers: longer than the deadline of a call. */
const PATIENCE_MS = 15_000;

let kept: ConnectionPool | undefined;

serveJobs(async (load: OpenLoad): Promise<OpenResult> => {
  const { keepsConnections = false } = load;
  const pool = kept ?? new ConnectionPool(load.origin, load.connections, keepsConnections ? 'new' : 'warm');
  kept = keepsConnections ? pool : undefined;
  pool.mostWaiting = 0;
  const tally = new OpenTally(load.keepsCalls ?? false);
  const next = chooser(load.requests);
  const headers = load.tokens.map((token) => ({
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  }));
  const total = Math.round(load.perSecond * load.seconds);
  const cpu = process.cpuUsage();
  const begun = performance.now();
  let open = total;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - begun) / 1000) * load.perSecond));
    for (; sent < due; sent++) {
      const at = (sent / load.perSecond) * 1000;
      const { template, body } = next();
      const sender = headers[sent % headers.length]!;
      let late = 0;
      const msNow = () => performance.now() - begun - at;
      pool.send(template, sender, body, {
        onSent: () => {
          late = msNow();
        },
        onAnswer: (status, retryAfter) => {
          open--;
          tally.answered({ at, ms: msNow(), late }, status, retryAfter);
        },
        onFailure: (code) => {
          open--;
          tally.failed({ at, ms: msNow(), late }, code);
        },
      });
    }
    await delay(1);
  }
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const end = performance.now() + PATIENCE_MS; open > 0 && performance.now() < end; ) await delay(20);
  tally.unanswered(open);
  const result = tally.result((user + system) / 1e6 / seconds, pool.mostWaiting);
  if (!keepsConnections) await pool.close();
  return result;
});
