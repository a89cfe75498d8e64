import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { say } from '../on-a-stack.ts';
import type { StackProcess } from '../stack-process.ts';
import type { Owner } from './owner.ts';
import { type Received, Receiver } from './receiver.ts';

const ROTATIONS = 3;
/** How many events each Record has. */
const COMMITS = 5;
const CLIENTS = 8;

/** Commits until there are enough events for one endpoint, and kills a replica and rotates the secret in between. */
export async function throughRotations(stack: StackProcess, owner: Owner, deliveries: number): Promise<void> {
  const collectionId = await owner.collection('rotations');
  const receiver = await Receiver.start();
  const { endpoint, secret } = await owner.manage('POST', '', {
    url: receiver.url,
    collectionIds: [collectionId],
    // The creation of the Collection may arrive too, and is none of those that are counted.
    types: ['record.pushed', 'record.patched'],
  });
  const secrets = [secret];
  const records = Math.ceil(deliveries / COMMITS);
  const arrived = (received: readonly Received[]) => new Set(received.map(({ id }) => id)).size;
  let begun = 0;
  const client = async () => {
    while (begun++ < records) await owner.commit(collectionId, COMMITS);
  };
  const begunAt = performance.now();
  const writing = Promise.all(Array.from({ length: CLIENTS }, client));
  for (let rotation = 1; rotation <= ROTATIONS; rotation++) {
    const events = Math.floor((records * COMMITS * rotation) / (ROTATIONS + 1));
    await receiver.until((received) => arrived(received) >= events);
    secrets.push((await owner.manage('POST', `/${endpoint.id}/rotate`)).secret);
    const [victim] = stack.pids('services/events').slice(rotation % 2);
    if (victim !== undefined) process.kill(victim, 'SIGKILL');
  }
  await writing;
  await receiver.until((received) => arrived(received) >= records * COMMITS);
  const { received } = receiver;
  const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
  const repeated = received.length - records * COMMITS;
  say(
    `${records * COMMITS} events arrived in ${seconds} s, ${repeated} of them again, with ${ROTATIONS} replicas killed.`,
  );
  const last = requireOrder(received);
  for (const sequence of last.values()) equal(sequence, COMMITS);
  say(`${last.size} Records arrived in order.`);
  requireSignatures(received, secrets);
  await owner.manage('DELETE', `/${endpoint.id}`);
  receiver.stop();
}

/** The last sequence of each Record. Each must arrive first after the one before it. */
export function requireOrder(received: readonly Pick<Received, 'body'>[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { body } of received) {
    const { subject, data } = JSON.parse(body) as { subject: string; data: { sequence?: number } };
    if (data.sequence === undefined) continue;
    const before = last.get(subject) ?? 0;
    ok(data.sequence <= before + 1, `${subject}: ${data.sequence} arrived after ${before}`);
    last.set(subject, Math.max(before, data.sequence));
  }
  return last;
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
