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
  execFileSync('node_modules/.bin/tsc', ['--project', 'tsconfig.json'], { stdio: 'inherit' });
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

test('an import every night makes new rows, replaces changed ones and keeps the others, by their keys alone', async () => {
  const { collection } = await platform.call('record_store.create_collection', { name: 'nightly' });
  const nights = [
    ['a1 b1', 'a made, b made'],
    ['a2 b1 c1', 'a replaced, b kept, c made'],
    ['a2 b1 c1', 'a kept, b kept, c kept'],
    ['a1 b1 c2', 'a replaced, b kept, c replaced'],
  ] as const;
  for (const [rows, outcomes] of nights) {
    const payloads = rows.split(' ').map(([id, value]) => ({ id, value }));
    const printed = execFileSync(process.execPath, ['import-rows.mjs', collection.id], {
      env: { ...process.env, BASE_URL: platform.baseUrl, TOKEN: platform.token },
      input: payloads.map((payload) => JSON.stringify(payload)).join('\n'),
      encoding: 'utf8',
    });
    assert.equal(printed.trim().replaceAll('\n', ', '), outcomes);
    assert.deepEqual(
      (await recordsOf(collection.id)).map(({ payload }) => payload),
      payloads,
    );
  }
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
