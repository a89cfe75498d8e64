import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { pasted, samplesOf } from '../../../e2e/src/docs-samples.ts';
import { Platform } from './platform.ts';

const RECORDS = 1_000;

const platform = new Platform();

test('the commands of README.md, pasted, make a client that compiles, and push the same Records with each client', () => {
  const printed = pasted(samplesOf('docs/clients/README.md', 'sh'), platform.directory).join('');
  const ids = printed.match(/^rec_.*$/gm)!;
  assert.equal(ids.length, 300);
  assert.equal(new Set(ids).size, 100);
  assert.match(printed, /^bolt made\nnut made$/m);
  // Users compile clients with the TypeScript that their generator requires; the tests import modules of the platform, with its own.
  execFileSync('node_modules/.bin/tsc', ['--project', '.'], { stdio: 'inherit' });
  execFileSync('../../node_modules/.bin/tsc', ['--project', 'test'], { stdio: 'inherit' });
});

describe(`${RECORDS} Records pushed while the gateway is restarted twice are there, each once`, () => {
  for (const [name, command, script] of [
    ['Python, by hand', 'python3', 'push_records.py'],
    ['JavaScript, by hand', process.execPath, 'push-records.mjs'],
    ['@hey-api/openapi-ts', process.execPath, 'push-with-hey-api.ts'],
  ] as const) {
    test(name, async (context) => {
      const { collection } = await platform.call('record_store.create_collection', { name });
      const client = spawn(command, [script, collection.id, String(RECORDS)], {
        env: { ...process.env, BASE_URL: platform.baseUrl, TOKEN: platform.token },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const printed = client.stdout.setEncoding('utf8').toArray() as Promise<string[]>;
      const log: string[] = [];
      createInterface(client.stderr).on('line', (line) => {
        log.push(line);
        if (line === '200 pushed' || line === '600 pushed') platform.restartGateway();
      });
      const [code] = await once(client, 'close');
      assert.equal(code, 0, log.join('\n'));

      const ids = (await printed).join('').trim().split('\n');
      const stored = await recordsOf(collection.id);
      assert.deepEqual(ids.toSorted(), stored.map(({ id }) => id).toSorted());
      assert.deepEqual(
        stored.map(({ payload }) => payload.number).toSorted((a, b) => a - b),
        Array.from({ length: RECORDS }, (_, number) => number),
      );
      context.diagnostic(log.at(-1)!);
      const [, repeated] = /^repeated: (.*)$/.exec(log.at(-1)!)!;
      const reasons = Object.keys(JSON.parse(repeated!));
      assert.notEqual(reasons.length, 0, 'no call met a restart');
      // While no gateway runs, connections are refused. No open connection is reset.
      const allowed = ['ConnectionRefusedError', 'ECONNREFUSED', '502', '503'];
      assert.deepEqual(
        reasons.filter((reason) => !allowed.includes(reason)),
        [],
      );
    });
  }
});

/** A run of the import. */
interface Import {
  readonly collection: string;
  readonly token: string;
  readonly run: string;
}

/** Starts the import of rows, each a value or its JSON. */
function startImport({ collection, token, run }: Import, rows: readonly (object | string)[]) {
  const env = { ...process.env, BASE_URL: platform.baseUrl, TOKEN: token, RUN: run };
  const program = spawn(process.execPath, ['import-rows.mjs', collection], { env });
  program.stdin
    .on('error', () => {})
    .end(rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'));
  return program;
}

/** Imports rows, and returns what the import prints. */
async function imported(by: Import, rows: readonly (object | string)[]): Promise<string> {
  const program = startImport(by, rows);
  const outputs = [program.stdout, program.stderr].map((stream) => stream.setEncoding('utf8').toArray());
  return (await Promise.all(outputs)).flat().join('').trim().replaceAll('\n', ', ');
}

/** The secret of a grant as the page creates it, for so many runs, in a new Collection. */
async function importGrant(
  name: string,
  invocations: number,
): Promise<{ collection: string; token: string }> {
  const { collection } = await platform.call('record_store.create_collection', { name });
  const answer = await platform.fetch('POST', '/api/v1/routine-grants', {
    name,
    operations: ['push_records', 'get_records', 'replace_record'].map((name) => `record_store.${name}`),
    data: { collectionIds: [collection.id] },
    maximumCadence: { invocations, periodSeconds: 86_400 },
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  return { collection: collection.id, token: ((await answer.json()) as any).secret };
}

test('an import every night makes new rows, replaces changed ones and keeps the others, by their keys alone', async () => {
  const nights = [
    ['a1 b1', 'a made, b made'],
    ['a2 b1 c1', 'a replaced, b kept, c made'],
    ['a2 b1 c1', 'a kept, b kept, c kept'],
    ['a1 b1 c2', 'a replaced, b kept, c replaced'],
  ] as const;
  const granted = await importGrant('nightly', nights.length);
  const { collection } = await platform.call('record_store.create_collection', { name: 'by a person' });
  for (const by of [granted, { collection: collection.id, token: platform.token }])
    for (const [night, [rows, outcomes]] of nights.entries()) {
      const payloads = rows.split(' ').map(([id, value]) => ({ id, value }));
      assert.equal(await imported({ ...by, run: `night ${night}` }, payloads), outcomes);
      assert.deepEqual(
        (await recordsOf(by.collection)).map(({ payload }) => payload),
        payloads,
      );
    }
});

test('an import keeps the text of numbers, and does not bring back what a person archived or deleted', async () => {
  const by = { ...(await importGrant('exact', 4)), run: 'first' };
  const row = (id: string, price: string) => `{"id":${id},"price":${price}}`;
  const large = ['12345678901234567890', '12345678901234567891'];
  const first = [...large.map((id) => row(id, '1.00')), row('"gone"', '1'), row('"old"', '1')];
  assert.equal(await imported(by, first), `${large.join(' made, ')} made, gone made, old made`);
  const stored = await recordsOf(by.collection);
  const [gone, old] = ['gone', 'old'].map(
    (id) => stored.find(({ payload }) => (payload as any).id === id)!.id,
  );
  for (const record_id of [gone, old])
    await platform.call('record_store.archive_record', { collection_id: by.collection, record_id });
  await platform.call('record_store.delete_record', { collection_id: by.collection, record_id: gone });
  const second = [row(large[0]!, '1.00'), row(large[1]!, '1.0'), row('"gone"', '1'), row('"old"', '2')];
  assert.equal(
    await imported(by, second),
    `${large[0]} kept, ${large[1]} replaced, gone deleted, old archived`,
  );
  const changed = [row('"gone"', '2'), row(large[0]!, '3'), row(large[0]!, '2.50')];
  assert.equal(await imported(by, changed), `gone deleted, ${large[0]} replaced`);
  const list = { collection_id: by.collection };
  const answer = await platform.fetch('POST', '/api/v1/operations/record_store.list_records', list);
  const text = await answer.text();
  for (const each of [row(large[0]!, '2.50'), row(large[1]!, '1.0')]) assert.ok(text.includes(each), text);
});

test('an import that was killed goes on within its run, and another run is refused with the name of this one', async () => {
  const granted = await importGrant('killed', 1);
  const rows = Array.from({ length: 300 }, (_, index) => ({ id: `row ${index}` }));
  const killed = startImport({ ...granted, run: 'first' }, rows);
  let lines = 0;
  for await (const _line of createInterface(killed.stdout)) if (++lines === 100) killed.kill('SIGKILL');
  assert.equal(killed.signalCode ?? (await once(killed, 'close'))[1], 'SIGKILL');
  assert.ok(lines < rows.length);
  const outcomes = (await imported({ ...granted, run: 'first' }, rows)).split(', ');
  assert.equal(outcomes.length, rows.length);
  assert.ok(outcomes.slice(0, lines).every((outcome) => outcome.endsWith(' kept')));
  assert.equal(outcomes.at(-1), 'row 299 made');
  const ids = (await recordsOf(granted.collection)).map(({ payload }) => (payload as any).id);
  assert.deepEqual(
    ids,
    rows.map(({ id }) => id),
  );
  const refused = await imported({ ...granted, run: 'second' }, rows);
  assert.match(refused, /^grant_cadence_exceeded: .*1 run in 86400 s\. Counted runs: "first" until /);
});

/** All Records of a Collection. */
async function recordsOf(collection_id: string): Promise<{ id: string; payload: { number: number } }[]> {
  const records = [];
  for (let cursor: string | undefined; ; ) {
    const page = { collection_id, limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const { records: more, next_cursor } = await platform.call('record_store.list_records', page);
    records.push(...more);
    if (next_cursor === null) return records;
    cursor = next_cursor;
  }
}
