import http from 'node:http';
import https from 'node:https';
import { ordinaryCalls, outcomeOf } from './calls.ts';

const CLIENTS = 16;
/** The first answers of new processes are slow. */
const WARM_UP_MS = 10_000;
const MEASURED_MS = 5_000;

/** Measures how many ordinary calls a platform serves in a second on this machine: a closed loop of some clients. */
export async function capacityOf(url: string, token: string): Promise<number> {
  const { Agent } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const calls = ordinaryCalls(url, token, 'capacity');
  // The first call makes what the others need.
  await calls.next();
  const begun = performance.now() + WARM_UP_MS;
  const end = begun + MEASURED_MS;
  let answered = 0;
  const client = async () => {
    while (performance.now() < end) {
      const { value: call } = await calls.next();
      const outcome = await outcomeOf(url, agent, token, call!);
      if (outcome === 200 && performance.now() > begun) answered++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  agent.destroy();
  return answered / ((performance.now() - begun) / 1_000);
}
