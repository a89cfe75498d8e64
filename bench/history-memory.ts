/**
 * How much memory the platform takes to stream one long history. Run it against a running local stack:
 *
 *     node bench/history-memory.ts [revisions=5000] [bytes per revision=100000]
 *
 * Prints the largest resident size that any process of the stack reached, before and while streaming.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const [revisions = 5000, bytes = 100_000] = process.argv.slice(2).map(Number);
const demo = JSON.parse(readFileSync(`${process.env.LOCAL_DIR ?? '.local'}/demo.json`, 'utf8'));

async function call(operation: string, input: object): Promise<Response> {
  return await fetch(`${demo.base_url}/api/v1/operations/record_store.${operation}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${demo.owner.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  });
}

interface Result {
  collection: { id: string };
  record: { id: string };
}

async function result(operation: string, input: object): Promise<Result> {
  const response = await call(operation, input);
  const body = (await response.json()) as { result: Result };
  if (!response.ok) throw new Error(JSON.stringify(body));
  return body.result;
}

/** Resident sizes in MB of the processes that serve the stack, by what they run. */
function residentSizes(): Record<string, number> {
  const sizes: Record<string, number> = {};
  for (const line of execFileSync('ps', ['-eo', 'rss=,args='], { encoding: 'utf8' }).split('\n')) {
    const name = /services\/([\w-]+)\/src|\/(nats-server)\b/.exec(line);
    if (name === null) continue;
    const key = name[1] ?? name[2]!;
    sizes[key] = Math.max(sizes[key] ?? 0, Math.round(Number.parseInt(line, 10) / 1024));
  }
  return sizes;
}

const { collection } = await result('create_collection', { name: `history ${new Date().toISOString()}` });
const { record } = await result('push_record', { collection_id: collection.id, payload: {} });
const reference = { collection_id: collection.id, record_id: record.id };
for (let revision = 2; revision <= revisions; revision++) {
  await result('replace_record', { ...reference, payload: { revision, text: 'x'.repeat(bytes) } });
}

const before = residentSizes();
const peak = { ...before };
const watch = setInterval(() => {
  for (const [name, size] of Object.entries(residentSizes())) peak[name] = Math.max(peak[name] ?? 0, size);
}, 100);
const started = performance.now();
const response = await call('get_record_history', reference);
let received = 0;
let tail = '';
for await (const chunk of response.body!) {
  received += chunk.length;
  tail = (tail + Buffer.from(chunk).toString()).slice(-200);
}
clearInterval(watch);
const seconds = (performance.now() - started) / 1000;
process.stdout.write(
  `${JSON.stringify({ revisions, megabytes: Math.round(received / 1e6), seconds, whole: tail.endsWith('"next_cursor":null}}'), residentMB: { before, peak } }, null, 2)}\n`,
);
