import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationPath } from '../contenders/api.ts';
import type { Bench } from '../contenders/contender.ts';
import type { Platform } from '../contenders/platform.ts';
import { startLoadGenerator } from '../load/load.ts';
import { measure } from '../measure/measure.ts';
import { atLeast, atMost, type Requirement } from '../measure/requirement.ts';
import { tell } from '../output.ts';
import type { Findings } from '../run-command.ts';
import { head, startAttack } from './attack.ts';
import { loadText, othersLoad, usesText } from './callers.ts';

const REQUIRED = { percent: 99.9, memoryMB: 384 };
const WARM_UP_SECONDS = 5;
/** Nearly the largest payload, and bodies above it. */
const PAYLOAD = { text: 'x'.repeat(255_000) };
const BODY_BYTES = 520_000;
const OVERSIZED_BYTES = 1_900_000;

/** One request, sent over and over on many connections. */
interface BodyAttack {
  readonly operation: 'record_store.push_record' | 'record_store.get_record';
  readonly body: string;
  readonly connections: number;
  /** Whether each body stays one byte short, so that the gateway never serves it. */
  readonly isHeld?: boolean;
}

/** One Member sends the bodies and requests the answers that take the most memory, while a well-behaved Workspace calls. */
export async function largeBodies(
  platform: Platform,
  { seconds }: { readonly seconds: number },
  { stops }: Bench,
): Promise<Findings> {
  const load = await othersLoad(platform, seconds);
  const greedy = await platform.workspace();
  const record = await greedy.newRecord(PAYLOAD);
  const push = (payload: object, bytes = 0) => ({
    operation: 'record_store.push_record' as const,
    body: JSON.stringify({ collection_id: record.collection_id, payload }).padEnd(bytes, ' '),
  });
  const attacks: Readonly<Record<string, BodyAttack>> = {
    '40 pushes of 1.9 MB of white space': { ...push({}, OVERSIZED_BYTES), connections: 40 },
    '40 pushes of 520 kB of white space': { ...push({}, BODY_BYTES), connections: 40 },
    '400 gets of 255 kB': {
      operation: 'record_store.get_record',
      body: JSON.stringify(record),
      connections: 400,
    },
    '130 bodies of 1.9 MB held': { ...push({}, OVERSIZED_BYTES), connections: 130, isHeld: true },
    '130 bodies of 520 kB held': { ...push({}, BODY_BYTES), connections: 130, isHeld: true },
    '60 pushes of 255 kB': { ...push(PAYLOAD), connections: 60 },
  };
  const generator = startLoadGenerator(stops);
  const attacker = startLoadGenerator(stops);
  await generator({ ...load, seconds: WARM_UP_SECONDS });

  /** Begins an attack; the returned function ends it with the outcomes. */
  const begin = async ({ operation, body, connections, isHeld = false }: BodyAttack) => {
    const path = operationPath(operation);
    if (!isHeld) {
      const requests = [{ method: 'POST', path, bodies: [body], tokens: [greedy.token] } as const];
      const sent = attacker({ origin: platform.origin, requests, seconds, connections });
      return () => sent.then(({ calls, refused, others }) => ({ calls, refused, ...others }));
    }
    const first = `${head('POST', path, `Content-Length: ${body.length}`)}${body.slice(0, -1)}`;
    const kinds = [{ name: 'held', count: connections, first }];
    const tokens = [greedy.token];
    return await startAttack({ origin: platform.origin, kinds, tokens }, stops);
  };
  const requirements: Requirement[] = [];
  const lines: string[] = [];
  const measured: Record<string, object> = {};
  for (const [name, attack] of Object.entries(attacks)) {
    tell(`  ${name} …`);
    const cutBefore = busCuts(platform);
    const end = await begin(attack);
    const during = await measure(platform, load, generator);
    const outcomes = await end();
    const cuts = busCuts(platform) - cutBefore;
    measured[name] = { ...during, outcomes, cuts };
    const [largest, { peakMB }] = Object.entries(during.uses)
      .filter(([process]) => process !== 'mongod')
      .toSorted(([, a], [, b]) => b.peakMB - a.peakMB)[0]!;
    const { calls, attempts } = during.load;
    requirements.push(
      atLeast(`${name}: calls of the others that succeed`, REQUIRED.percent, (100 * calls) / attempts, '%'),
      atMost(`${name}: connections of the bus cut`, 0, cuts, ''),
      atMost(`${name}: memory of every process`, REQUIRED.memoryMB, peakMB, 'MiB', `(${largest})`),
    );
    lines.push(loadText(name, during.load), usesText(name, during.uses, seconds));
    lines.push(`  ${name}: ${JSON.stringify(outcomes)}`);
  }
  return { requirements, text: lines.join('\n'), measured };
}

/** The number of lost connections to the bus so far, by the logs. */
function busCuts({ logs }: Platform): number {
  const texts = readdirSync(logs).map((file) => readFileSync(join(logs, file), 'utf8'));
  return texts.join('').split('lost the connection to the NATS server').length - 1;
}
