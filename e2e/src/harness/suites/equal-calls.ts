import { setTimeout as delay } from 'node:timers/promises';
import type { Fixture } from '../workload/fixture.ts';
import { requestOf } from '../workload/requests.ts';
import { Session } from '../workload/session.ts';

const EQUAL_CALLS = 64;

/** Makes 64 equal calls at once over all gateways, several times. */
export async function makeEqualCalls(
  fixture: Fixture,
  what: 'refund' | 'draft',
  times: number,
): Promise<void> {
  const { owners, entries, approve, platform } = fixture;
  const settings = { connections: EQUAL_CALLS, approve };
  const sessions = platform.gateways.map((url) => new Session(url, owners[0]!.token, settings));
  for (let time = 0; time < times; time++) {
    const action = { what, key: `equal-${time}` } as const;
    const calls = Array.from({ length: EQUAL_CALLS }, async (_, number) => {
      const begunAt = performance.now();
      const answered = await sessions[number % sessions.length]!.ask(requestOf(action, fixture));
      entries.push({ client: -1, action, begunAt, endedAt: performance.now(), ...answered });
    });
    await Promise.all(calls);
    await delay(1_000);
  }
  for (const session of sessions) session.close();
}
