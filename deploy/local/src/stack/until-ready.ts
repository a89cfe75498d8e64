import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;
/** How many polls find no progress before the platform counts as stuck: a minute, and longer where this process, too, has to wait for a processor. */
const QUIET_POLLS = 1_200;

/**
 * Waits until every gateway reports that it and its dependencies are ready: as long as this report changes, or the processes work.
 *
 * @param processes their process ids.
 */
export async function untilReady(
  gateways: readonly string[],
  logs: string,
  processes: () => readonly number[],
  quietPolls = QUIET_POLLS,
): Promise<void> {
  let [quiet, before] = [0, { report: '', workMs: 0, at: 0 }];
  for (const gateway of gateways) {
    for (let report = await missingAt(gateway); report !== undefined; report = await missingAt(gateway)) {
      const now = {
        report,
        workMs: processes().reduce((sum, pid) => sum + workOf(pid), 0),
        at: performance.now(),
      };
      const isWorking = now.workMs - before.workMs > (now.at - before.at) / 2;
      quiet = isWorking || report !== before.report ? 0 : quiet + 1;
      if (quiet > quietPolls)
        throw new Error(
          `The platform does not become ready${report && ` (${report})`}: read the logs in ${logs}.`,
        );
      before = now;
      await delay(POLL_MS);
    }
  }
}

/** The report of a gateway that is not ready, empty when it does not answer; undefined for one that is ready. */
async function missingAt(gateway: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${gateway}/readyz`);
    const { error } = (await response.json()) as { error?: { message: string } };
    return response.ok ? undefined : error?.message;
  } catch {
    return '';
  }
}

/** For how many milliseconds the main thread of a process worked, or waited for a processor; 0 where the system does not tell. */
function workOf(pid: number): number {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return (ran + waited) / 1e6;
  } catch {
    return 0;
  }
}
