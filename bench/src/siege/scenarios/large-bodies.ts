import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operationPath } from '../../contenders/api.ts';
import { processIds } from '../../environment/process-ids.ts';
import { startWorker } from '../../environment/worker.ts';
import type { Requirement } from '../../report/finding.ts';
import { newCollection, newRecord } from '../../scenarios/sample-data.ts';
import type { BodyAttack, Outcomes } from '../attack/large-bodies.ts';
import type { OpenLoad } from '../load/open-load.ts';
import { ordinaryCalls } from '../load/ordinary-calls.ts';
import { startOpenGenerator } from '../load/start.ts';
import { watch } from '../measure/watch.ts';
import { latencyText, percent, usesText } from '../report/figures.ts';
import type { SiegeScenario } from './scenario.ts';

const CALLS_PER_SECOND = 50;
const CONNECTIONS = 50;
const WARM_UP_SECONDS = 5;
const REQUIRED = { success: 0.999, memoryMB: 384 };

const push = operationPath('record_store.push_record');
const get = operationPath('record_store.get_record');

/** One Member sends the bodies and requests the answers that take the most memory, while a well-behaved Workspace calls. */
export const largeBodies: SiegeScenario = {
  name: 'large-bodies',
  description:
    'bodies and answers that take the most memory, from one Member, beside a Workspace that makes 50 calls a second',
  async run(besieged, { seconds }) {
    const good = await besieged.callers('good', 2);
    const greedy = await besieged.callers('greedy', 1);
    const collection_id = await newCollection(greedy.api);
    const record = await newRecord(greedy.api, collection_id, { text: 'x'.repeat(255_000) });
    const pushOf = (payload: object, bytes = 0) => ({
      path: push,
      body: `${JSON.stringify({ collection_id, payload })}`.padEnd(bytes, ' '),
    });
    const attacks: Readonly<Record<string, Pick<BodyAttack, 'path' | 'body' | 'connections' | 'isHeld'>>> = {
      '40 pushes of 1.9 MB of white space': { ...pushOf({}, 1_900_000), connections: 40 },
      '40 pushes of 520 kB of white space': { ...pushOf({}, 520_000), connections: 40 },
      '400 gets of 255 kB': { path: get, body: JSON.stringify(record), connections: 400 },
      '130 bodies of 1.9 MB held': { ...pushOf({}, 1_900_000), connections: 130, isHeld: true },
      '130 bodies of 520 kB held': { ...pushOf({}, 520_000), connections: 130, isHeld: true },
      '60 pushes of 255 kB': { ...pushOf({ text: 'x'.repeat(255_000) }), connections: 60 },
    };
    const load: OpenLoad = {
      origin: besieged.origin,
      requests: await ordinaryCalls(good.api),
      tokens: good.tokens,
      perSecond: CALLS_PER_SECOND,
      connections: CONNECTIONS,
      seconds,
    };
    const generator = await startOpenGenerator(besieged.stops);
    await generator.run({ ...load, seconds: WARM_UP_SECONDS });
    const script = fileURLToPath(new URL('../attack/large-bodies.ts', import.meta.url));
    const attacker = await startWorker<BodyAttack, Outcomes>('The attacker', script, besieged.stops, 10);
    const pids = processIds(besieged.platform.processes, besieged.servers);
    const requirements: Requirement[] = [];
    const notes: string[] = [];
    const measured: Record<string, object> = {};
    for (const [name, attack] of Object.entries(attacks)) {
      besieged.tell(`  ${name} …`);
      const used = watch(pids);
      const cutBefore = busCuts(besieged.folder);
      const attacking = attacker.run({
        ...attack,
        origin: besieged.origin,
        token: greedy.tokens[0]!,
        seconds,
      });
      const calls = await generator.run(load);
      const outcomes = await attacking;
      const uses = used();
      const cuts = busCuts(besieged.folder) - cutBefore;
      const success = calls.accepted / calls.attempts;
      const [largest, { peakMB }] = Object.entries(uses)
        .filter(([process]) => process !== 'mongod')
        .toSorted(([, a], [, b]) => b.peakMB - a.peakMB)[0]!;
      measured[name] = { calls, outcomes, uses, cuts };
      requirements.push(
        {
          what: `${name}: calls of the others that succeed`,
          required: `≥ ${percent(REQUIRED.success)}`,
          seen: percent(success),
          isMet: success >= REQUIRED.success,
        },
        { what: `${name}: connections of the bus cut`, required: '0', seen: String(cuts), isMet: cuts === 0 },
        {
          what: `${name}: memory of every process`,
          required: `≤ ${REQUIRED.memoryMB} MiB`,
          seen: `${largest} ${peakMB.toFixed(0)} MiB`,
          isMet: peakMB <= REQUIRED.memoryMB,
        },
      );
      notes.push(
        `${name}: ${JSON.stringify(outcomes)}; the others ${latencyText(calls.acceptedMs)}, refused ${calls.refused}, others ${JSON.stringify(calls.others)}`,
        `  ${usesText(uses)}`,
      );
    }
    return { requirements, notes, measured };
  },
};

/** The number of lost connections to the bus so far, by the logs. */
function busCuts(folder: string): number {
  const logs = join(folder, 'logs');
  const texts = readdirSync(logs).map((file) => readFileSync(join(logs, file), 'utf8'));
  return texts.join('').split('lost the connection to the NATS server').length - 1;
}
