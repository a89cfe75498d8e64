/**
 * Sends webhooks through rotations and killed replicas, and beside endpoints that misbehave: `npm run e2e -- webhooks --help`. Every
 * event must arrive, in order for its Record, with signatures that two verifiers accept.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { send } from '../http.ts';
import { endWith, say } from '../on-a-stack.ts';
import { execute, RETRY_AFTER_MS, StackProcess } from '../stack-process.ts';
import { startBadEndpoints } from './bad-endpoints.ts';
import { type Received, Receiver } from './receiver.ts';

const { values: options } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(`npm run e2e -- webhooks [options]

  --deliveries 1000   through three rotations, while each replica of events is killed
  --seconds 60        beside 20 endpoints that misbehave, at ten Records a second`);
  process.exit();
}

const DELIVERIES = Number(options.deliveries);
const SECONDS = Number(options.seconds);
const ROTATIONS = 3;
/** How many events each Record has. */
const COMMITS = 5;
const CLIENTS = 8;
/** The most that the 95th percentile of the good endpoint may be, in milliseconds. */
const P95_MS = 2_000;

const stack = new StackProcess();
stack.environment.WORKSPACE_WEBHOOK_ENDPOINTS_MAX = '30';
await endWith(stack, async () => {
  const { base_url, owner } = await stack.start('--replicas', 'events=2');
  const manage = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    const answer = await send(base_url, {
      method,
      path: `/api/v1/webhook-endpoints${path}`,
      token: owner.token,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as Result;
  };
  const operate = async (operation: string, input: object): Promise<Record<string, { id: string }>> => {
    for (;;) {
      const { status, body } = await execute(base_url, owner.token, `record_store.${operation}`, input);
      if (status === 200) return body.result as never;
      await delay(RETRY_AFTER_MS);
    }
  };
  const collectionId = (await operate('create_collection', { name: 'sent' })).collection!.id;
  const push = (index: number) =>
    operate('push_record', { collection_id: collectionId, payload: { n: 0 }, idempotency_key: `r${index}` });

  const receiver = await Receiver.start();
  const created = await manage<{ endpoint: { id: string }; secret: string }>('POST', '', {
    url: receiver.url,
  });
  await throughRotations(created);
  await besideBadEndpoints();
  receiver.stop();
  return true;

  /** Commits until there are enough events, and kills a replica and rotates the secret in between. */
  async function throughRotations({ endpoint, secret }: typeof created): Promise<void> {
    const secrets = [secret];
    const records = Math.ceil(DELIVERIES / COMMITS);
    let begun = 0;
    const client = async () => {
      for (let index = begun++; index < records; index = begun++) {
        const { record } = await push(index);
        for (let version = 1; version < COMMITS; version++) {
          await operate('patch_record', {
            collection_id: collectionId,
            record_id: record!.id,
            patch: { n: version },
            idempotency_key: `r${index}v${version}`,
          });
        }
      }
    };
    const begunAt = performance.now();
    const writing = Promise.all(Array.from({ length: CLIENTS }, client));
    for (let rotation = 1; rotation <= ROTATIONS; rotation++) {
      const events = Math.floor((records * COMMITS * rotation) / (ROTATIONS + 1));
      await receiver.until((received) => new Set(received.map(({ id }) => id)).size >= events);
      secrets.push((await manage<{ secret: string }>('POST', `/${endpoint.id}/rotate`)).secret);
      const [victim] = stack.pids('services/events').slice(rotation % 2);
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
    }
    await writing;
    await receiver.until((received) => new Set(received.map(({ id }) => id)).size >= records * COMMITS);
    const { received } = receiver;
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
    const repeated = received.length - records * COMMITS;
    say(
      `${records * COMMITS} events arrived in ${seconds} s, ${repeated} of them again, with ${ROTATIONS} replicas killed.`,
    );
    requireOrder(received);
    requireSignatures(received, secrets);
  }

  /** Each sequence of a Record must arrive first after the one before it. */
  function requireOrder(received: readonly Received[]): void {
    const last = new Map<string, number>();
    for (const { body } of received) {
      const { subject, data } = JSON.parse(body) as { subject: string; data: { sequence?: number } };
      if (data.sequence === undefined) continue;
      const before = last.get(subject) ?? 0;
      ok(data.sequence <= before + 1, `${subject}: ${data.sequence} arrived after ${before}`);
      last.set(subject, Math.max(before, data.sequence));
    }
    for (const sequence of last.values()) equal(sequence, COMMITS);
    say(`${last.size} Records arrived in order.`);
  }

  /** A secret signs from its creation on, and all of them sign in the end, as no day has passed. */
  function requireSignatures(received: readonly Received[], secrets: readonly string[]): void {
    const signed = received.map(({ headers, body }) => {
      const count = headers['webhook-signature']!.split(' ').length;
      for (const secret of secrets.slice(0, count)) new Webhook(secret).verify(body, headers);
      return { secret: secrets[count - 1]!, headers, body };
    });
    deepEqual(new Set(signed.map(({ secret }) => secret)), new Set(secrets));
    const lines = signed.map((request) => JSON.stringify(request)).join('\n');
    const script = join(import.meta.dirname, 'verify.py');
    const verified = execFileSync('python3', [script], { input: `${lines}\n`, encoding: 'utf8' });
    equal(Number(verified), received.length);
    say(`standardwebhooks for Node.js and ${Number(verified)} times hmac of Python accept the signatures.`);
  }

  async function besideBadEndpoints(): Promise<void> {
    const bad = await startBadEndpoints(4);
    for (const { url } of bad) await manage('POST', '', { url });
    receiver.received.length = 0;
    const pushedAt = new Map<string, number>();
    for (let index = 0; index < SECONDS * 10; index++) {
      const { record } = await push(1_000_000 + index);
      pushedAt.set(record!.id, performance.now());
      await delay(100);
    }
    const arrived = new Map<string, number>();
    await receiver.until((received) => {
      for (const { body, at } of received.slice(arrived.size)) {
        const { subject } = JSON.parse(body) as { subject: string };
        if (!arrived.has(subject)) arrived.set(subject, at);
      }
      return arrived.size >= pushedAt.size;
    });
    const lags = [...pushedAt]
      .map(([id, at]) => Math.max(0, arrived.get(id)! - at))
      .toSorted((a, b) => a - b);
    const [p50, p95] = [0.5, 0.95].map((share) => Math.round(lags[Math.floor(lags.length * share)]!));
    const requests = bad.reduce((sum, { received }) => sum + received.length, 0);
    say(
      `Beside ${bad.length} endpoints that misbehave (${requests} requests): p50 ${p50} ms, p95 ${p95} ms of ${lags.length} events.`,
    );
    for (const endpoint of bad) endpoint.stop();
    ok(p95! < P95_MS, `the 95th percentile is ${p95} ms`);
  }
});
