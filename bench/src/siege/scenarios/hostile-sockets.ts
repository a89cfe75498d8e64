import { readdirSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { operationPath } from '../../contenders/api.ts';
import { processIds } from '../../environment/process-ids.ts';
import type { Requirement } from '../../report/finding.ts';
import { newCollection, newRecord } from '../../scenarios/sample-data.ts';
import type { Attack, AttackResult, LargeRequest } from '../attack/attack.ts';
import { startAttack } from '../attack/start.ts';
import type { Besieged, Callers } from '../besieged.ts';
import type { OpenLoad, OpenResult } from '../load/open-load.ts';
import { ordinaryCalls } from '../load/ordinary-calls.ts';
import { type OpenGenerator, startOpenGenerator } from '../load/start.ts';
import { type ProcessUse, watch } from '../measure/watch.ts';
import { latencyText, usesText } from '../report/figures.ts';
import { hostileNotes, hostileRequirements } from '../report/hostile-text.ts';
import type { SiegeScenario } from './scenario.ts';

const CALLS_PER_SECOND = 50;
const CONNECTIONS = 50;
const WARM_UP_SECONDS = 10;
const CONNECTS_PER_SECOND = 1000;
const GREEDY_MEMBERS = 4;
/** A history larger than the kernel's buffers of a socket. */
const LARGE_REVISIONS = 40;
const LARGE_BYTES = 200_000;

/** The results of a well-behaved Workspace and of the platform over some time. */
export interface Stretch {
  readonly calls: OpenResult;
  readonly uses: Readonly<Record<string, ProcessUse>>;
  /** The most descriptors that the gateway had open: sockets, and a few files. */
  readonly mostDescriptors: number;
}

/** Thousands of hostile sockets, while a well-behaved Workspace calls. */
export const hostileSockets: SiegeScenario = {
  name: 'hostile-sockets',
  description: 'hostile sockets of every kind, beside a Workspace that makes 50 calls a second',
  async run(besieged, { seconds, sockets }) {
    const good = await besieged.callers('good', 2);
    const greedy = await besieged.callers('greedy', GREEDY_MEMBERS);
    const load: OpenLoad = {
      origin: besieged.origin,
      requests: await ordinaryCalls(good.api),
      tokens: good.tokens,
      perSecond: CALLS_PER_SECOND,
      connections: CONNECTIONS,
      seconds,
    };
    // The history takes memory by itself, so it is stored before the undisturbed measurement.
    const large = await longHistory(greedy);
    const generator = await startOpenGenerator(besieged.stops);
    await generator.run({ ...load, seconds: WARM_UP_SECONDS });
    besieged.tell('  undisturbed …');
    const undisturbed = await stretch(besieged, generator, load);

    const { hostname, port } = new URL(besieged.origin);
    const attack = {
      host: hostname,
      port: Number(port),
      socketsOfEachKind: sockets,
      connectsPerSecond: CONNECTS_PER_SECOND,
    };
    const attacks: Readonly<Record<string, Attack>> = {
      'made-up credentials': {
        ...attack,
        credentials: Array.from({ length: sockets }, () => forged(greedy.tokens[0]!)),
        large: { method: 'GET', path: '/api/v1/openapi.json', body: '' },
      },
      'a greedy Workspace': {
        ...attack,
        credentials: greedy.tokens.map((token) => `Bearer ${token}`),
        large,
      },
    };
    const requirements: Requirement[] = [];
    const notes = [
      `undisturbed: ${latencyText(undisturbed.calls.acceptedMs)}; ${usesText(undisturbed.uses)}`,
    ];
    const measured: Record<string, Stretch & { readonly attack?: AttackResult }> = { undisturbed };
    for (const [who, each] of Object.entries(attacks)) {
      besieged.tell(`  ${who} …`);
      const end = await startAttack(each, besieged.stops);
      besieged.tell('  … all sockets opened');
      const besiegedStretch = await stretch(besieged, generator, load);
      const result = await end();
      measured[who] = { ...besiegedStretch, attack: result };
      requirements.push(...hostileRequirements(who, undisturbed, besiegedStretch));
      notes.push(...hostileNotes(who, besiegedStretch, result));
    }
    return { requirements, notes, measured };
  },
};

async function stretch(
  { platform, servers }: Besieged,
  generator: OpenGenerator,
  load: OpenLoad,
): Promise<Stretch> {
  const pids = processIds(platform.processes, servers);
  const gateway = pids.get('gateway')!;
  let mostDescriptors = 0;
  const counting = setInterval(() => {
    mostDescriptors = Math.max(mostDescriptors, readdirSync(`/proc/${gateway}/fd`).length);
  }, 1000);
  const ended = watch(pids);
  try {
    const calls = await generator.run(load);
    return { calls, uses: ended(), mostDescriptors };
  } finally {
    clearInterval(counting);
  }
}

/** This token with another signature. */
function forged(token: string): string {
  const signature = Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString('base64url');
  return `Bearer ${token.slice(0, token.lastIndexOf('.'))}.${signature}`;
}

async function longHistory({ api }: Callers): Promise<LargeRequest> {
  const record = await newRecord(api, await newCollection(api));
  for (let revision = 0; revision < LARGE_REVISIONS; revision++) {
    const payload = { revision, text: 'x'.repeat(LARGE_BYTES) };
    await api.call('record_store.replace_record', { ...record, payload });
  }
  const path = operationPath('record_store.get_record_history');
  return { method: 'POST', path, body: JSON.stringify(record) };
}
