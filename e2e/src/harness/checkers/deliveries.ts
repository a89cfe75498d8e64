import { equal } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { entriesOf, type History } from '../history.ts';

type Delivered = Pick<History, 'entries' | 'webhooks'>;

/** The Records that were there before the endpoints. */
const earlier = ({ entries }: Delivered) =>
  new Set(
    entriesOf({ entries }, 'push').flatMap(({ client, outcome }) =>
      client < 0 && outcome.is === 'done' ? [outcome.result.record!] : [],
    ),
  );
const eventOf = (body: string) =>
  JSON.parse(body) as { subject: string; data: { sequence?: number; version?: number } };

/** A delivery that an endpoint of the Collection of an acknowledged write expects; without a time it did not arrive. */
interface Delivery {
  readonly path: string;
  readonly name: string;
  readonly begunAt: number;
  readonly arrivedAt?: number | undefined;
}

/** The expected deliveries of all acknowledged writes. */
function* deliveriesOf(history: Delivered): Generator<Delivery> {
  const { endpoints, received, collectionOf } = { ...history.webhooks, collectionOf: placesOf(history) };
  const before = earlier(history);
  const arrivals = new Map<string, number>();
  for (const { path, body, at } of received) {
    const { subject, data } = eventOf(body);
    arrivals.getOrInsert(`${path} ${subject}@${data.version}`, at);
  }
  for (const { outcome, begunAt } of entriesOf(history, 'push', 'replace', 'patch')) {
    if (outcome.is !== 'done' || before.has(outcome.result.record!)) continue;
    const record = outcome.result.record!;
    const name = `${record}@${outcome.result.revisions![0]!.version}`;
    for (const { path, collection = collectionOf.get(record) } of endpoints)
      if (collection === collectionOf.get(record))
        yield { path, name, begunAt, arrivedAt: arrivals.get(`${path} ${name}`) };
  }
}

/** The acknowledged writes that an endpoint of their Collection did not get, a line each. */
export function* missingDeliveries(history: Delivered): Generator<string> {
  for (const { path, name, arrivedAt } of deliveriesOf(history))
    if (arrivedAt === undefined) yield `${path} did not get ${name}`;
}

/** The time from the first request of each write that began in a span to its arrival at each endpoint, infinite when it has not arrived. */
export function lagsOf(history: Delivered, from: number, to: number): number[] {
  const first = new Map<string, Delivery>();
  for (const delivery of deliveriesOf(history)) {
    const id = `${delivery.path} ${delivery.name}`;
    const { begunAt } = first.get(id) ?? delivery;
    first.set(id, { ...delivery, begunAt: Math.min(begunAt, delivery.begunAt) });
  }
  return [...first.values()]
    .filter(({ begunAt }) => begunAt >= from && begunAt < to)
    .map(({ begunAt, arrivedAt = Number.POSITIVE_INFINITY }) => arrivedAt - begunAt);
}

/** Each endpoint gets every acknowledged write of its Collection, those of a Record in order, and no other. */
export function* checkDeliveries(history: History): Generator<string> {
  yield* missingDeliveries(history);
  const before = earlier(history);
  const reached = new Map<string, number>();
  const collectionOf = placesOf(history);
  const wanted = new Map(history.webhooks.endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const made = new Set(
    entriesOf(history, 'push', 'replace', 'patch').flatMap(({ finally: outcome }) =>
      outcome.is === 'done' ? [`${outcome.result.record}@${outcome.result.revisions![0]!.version}`] : [],
    ),
  );
  for (const { path, body } of history.webhooks.received) {
    const { subject, data } = eventOf(body);
    if (data.sequence === undefined) continue;
    const place = collectionOf.get(subject);
    if (!made.has(`${subject}@${data.version}`))
      yield `${path} got ${subject}@${data.version}, which no client wrote`;
    else if (place === history.limited.collection || (wanted.get(path)?.collection ?? place) !== place)
      yield `${path} got ${subject} of ${place}`;
    if (before.has(subject)) continue;
    const last = reached.get(`${path} ${subject}`) ?? 0;
    if (data.sequence > last + 1) yield `${path}: ${subject} ${data.sequence} arrived after ${last}`;
    reached.set(`${path} ${subject}`, Math.max(last, data.sequence));
  }
}

/**
 * A secret signs from its creation on, and all secrets sign in the end, as no day has passed. The library of Standard Webhooks and the hmac
 * of Python make the same signatures.
 */
export function* checkSignatures({ webhooks }: History): Generator<string> {
  const { received, rotated, secrets } = webhooks;
  const used = new Set<string>();
  const lines: string[] = [];
  for (const { path, id, headers, body } of received) {
    if (path !== rotated) continue;
    const signing = secrets.slice(0, headers['webhook-signature']!.split(' ').length);
    // A verifier would refuse the timestamps of a long run.
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    for (const [index, secret] of signing.entries()) {
      const signature = new Webhook(secret).sign(headers['webhook-id']!, at, body);
      if (!headers['webhook-signature']!.includes(signature))
        yield `${id}: has no signature of secret ${index}`;
    }
    used.add(signing.at(-1)!);
    lines.push(JSON.stringify({ secret: signing.at(-1)!, headers, body }));
  }
  for (const [index, secret] of secrets.entries())
    if (!used.has(secret)) yield `secret ${index} was never the newest of a webhook`;
  try {
    const script = join(import.meta.dirname, 'verify.py');
    const verified = execFileSync('python3', [script], {
      ...{ input: `${lines.join('\n')}\n`, encoding: 'utf8', stdio: 'pipe' },
    });
    equal(Number(verified), lines.length);
  } catch (error) {
    yield `Python: ${error}`;
  }
}

/** The Collection of each pushed Record. */
function placesOf(history: Delivered): ReadonlyMap<string, string> {
  return new Map(
    entriesOf(history, 'push').flatMap(({ action, finally: outcome }) =>
      outcome.is === 'done' ? [[outcome.result.record!, action.collection] as const] : [],
    ),
  );
}
