import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { listen } from '@action-platform/testing';
import { Platform } from './platform.ts';

const platform = new Platform();

/** Serves until the end of a test. @returns the base URL */
async function serve(context: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  context.after(() => server.close());
  return `http://127.0.0.1:${await listen(server)}`;
}

/** Runs a client against a base URL, and returns its exit code and what it prints. */
async function run(baseUrl: string, [command, ...args]: string[], input = '') {
  const env = { ...process.env, BASE_URL: baseUrl, TOKEN: platform.token, RUN: 'a run' };
  const client = spawn(command!, args, { env });
  client.stdin.on('error', () => {}).end(input);
  const ended = new Promise<number | null>((resolve) => client.once('close', resolve));
  const [printed, log] = await Promise.all([text(client.stdout), text(client.stderr)]);
  return { code: await ended, printed, log };
}

for (const command of [
  ['python3', 'push_records.py'],
  [process.execPath, 'push-records.mjs'],
])
  test(`${command[1]} repeats after the page of a proxy and after a date, within the run that RUN names`, async (context) => {
    const runs: IncomingMessage['headers'][string][] = [];
    const record = { id: 'rec_1' };
    const stub = await serve(context, ({ headers }, response) => {
      const attempt = runs.push(headers['x-routine-invocation-id']);
      if (attempt === 1) return void response.writeHead(502).end('<html>Bad Gateway</html>');
      if (attempt > 2) return void response.end(JSON.stringify({ result: { record } }));
      response.writeHead(503, { 'Retry-After': new Date(0).toUTCString() }).end();
    });
    const { code, printed, log } = await run(stub, [...command, 'rows', '1']);
    assert.equal(code, 0, log);
    assert.equal(printed.trim(), record.id);
    // Node.js warns of pauses that are no numbers.
    assert.match(log, /^repeated: \{"502": ?1, ?"503": ?1\}\n$/);
    assert.deepEqual(runs, ['a run', 'a run', 'a run']);
  });

const rowsOf = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

test('an import goes on after a lost answer to a replace, and after an outcome that the platform had no time for', async (context) => {
  const { collection } = await platform.call('record_store.create_collection', { name: 'repeats' });
  const met = new Set<string>();
  const proxy = await serve(context, async (request, response) => {
    const body = await buffer(request);
    const answer = await platform.fetch('POST', request.url!, JSON.parse(body.toString()));
    const given = (await answer.json()) as any;
    const operation = request.url!.split('.').at(-1)!;
    const isFirst = !met.has(operation);
    met.add(operation);
    if (isFirst && operation === 'replace_record') return void response.writeHead(502).end();
    if (isFirst && operation === 'push_records')
      given.result.outcomes[1] = { error: { code: 'action_platform_unavailable', message: '', next: '' } };
    response.writeHead(answer.status).end(JSON.stringify(given));
  });
  const importing = [process.execPath, 'import-rows.mjs', collection.id];
  const [first, second] = [1, 2].map((value) => rowsOf({ id: 'a', value }, { id: 'b', value: 1 }));
  // The repetition replays the push of b, which the proxy calls unavailable.
  assert.deepEqual(await run(proxy, importing, first), { code: 0, printed: 'a made\nb kept\n', log: '' });
  assert.deepEqual(await run(proxy, importing, second), {
    ...{ code: 0, printed: 'a replaced\nb kept\n', log: '' },
  });
  assert.deepEqual([...met].toSorted(), ['get_records', 'push_records', 'replace_record']);
});

for (const [what, rows] of [
  ['rows without an id', rowsOf({ name: 'bolt' }, { name: 'nut' })],
  ['an id that is neither a string nor a number', rowsOf({ id: null })],
  ['a row that is no object', rowsOf(null)],
  ['ids that are both numbers and strings of digits', rowsOf({ id: 1 }, { id: '1' })],
] as const)
  test(`an import refuses ${what}`, async () => {
    const { collection } = await platform.call('record_store.create_collection', { name: what });
    const importing = [process.execPath, 'import-rows.mjs', collection.id];
    const { code, log } = await run(platform.baseUrl, importing, rows);
    assert.equal(code, 1);
    assert.match(log, /^The ("id"|ids) of .*\.\n$/);
  });
