import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, platform } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { canonicalJson } from '../canonical-json.ts';
import { ExactJson } from '../exact-json.ts';
import { mergePatch } from '../merge-patch.ts';
import { readJson } from '../read-json.ts';
import {
  canonicalJsonAsync,
  LARGEST_IN_PLACE,
  MAX_WAITING,
  mergePatchAsync,
  readJsonAsync,
} from './background.ts';

const options = { maxDepth: 64, exact: ['payload'], maxValues: 1000 };
const bytes = (text: string) => new TextEncoder().encode(text);

/** An object with this number of members of a few characters each. */
const tiny = (members: number, prefix = 'k') =>
  `{${Array.from({ length: members }, (_, n) => `"${prefix}${n}": ${n}.0`).join()}}`;
/** Text that makes its container large. */
const filler = `"${'é'.repeat(LARGEST_IN_PLACE)}"`;

/** Malformed UTF-8 in the middle. */
const malformed = bytes(`{"payload":${filler}}`).fill(0xff, 500, 501);

/** The outcome of a call, with every property of an error. */
async function outcome(call: () => unknown): Promise<Record<string, unknown>> {
  try {
    return { value: await call() };
  } catch (error) {
    return { class: (error as Error).constructor, text: (error as Error).message, ...(error as Error) };
  }
}

describe('a large text has the same outcome in the background as on the event loop', () => {
  test.each([
    ['a payload of tiny members', `{"collection_id":"c","__proto__":[1],"payload":${tiny(20_000)}}`],
    ['a payload with hostile names', `{"payload":{"__proto__":${filler},"constructor":1,"$where":""}}`],
    ['a long text', `{"markdown":${filler},"toString":null}`],
    ['exact and other members under one name', `{"a":1,"payload":${filler},"a":2}`],
    ['no object', `[${filler}]`],
    ['text cut short', `{"payload":${filler}`],
    ['a payload too deep', `{"payload":${'['.repeat(64)}${filler}${']'.repeat(64)}}`],
    ['a payload as deep as can be', `{"payload":${'['.repeat(63)}${filler}${']'.repeat(63)}}`],
    ['half a surrogate pair', `{"payload":{"x":["\\ud800",${filler}]}}`],
    ['too many values', `{"payload":1,"data":[[${'1,'.repeat(LARGEST_IN_PLACE)}1]]}`],
    ['too many members', tiny(10_000)],
    ['malformed UTF-8', malformed],
  ])('%s', async (_what, given) => {
    const input = typeof given === 'string' ? bytes(given) : given;
    expect(input.length).toBeGreaterThan(LARGEST_IN_PLACE);
    const inPlace = await outcome(() => readJson(input, options));
    expect(await outcome(() => readJsonAsync(input, options))).toEqual(inPlace);
  });

  test('an exact member is an ExactJson, and the bytes are still the caller’s', async () => {
    const payload = tiny(20_000);
    const input = bytes(`{"payload":${payload}}`);
    const read = (await readJsonAsync(input, options)) as { payload: ExactJson };
    expect(read.payload).toBeInstanceOf(ExactJson);
    expect(read.payload.text).toBe(payload);
    expect(input.length).toBeGreaterThan(0);
  });
});

test('large texts are merged and compared as small ones are', async () => {
  const target = new ExactJson(tiny(10_000));
  for (const text of [tiny(9000, 'k1'), '{"k0":null}', '[]']) {
    const patch = new ExactJson(text);
    const { class: _ofAnotherThread, ...inPlace } = await outcome(() => mergePatch(target, patch));
    expect(await outcome(() => mergePatchAsync(target, patch))).toMatchObject(inPlace);
  }
  expect(await canonicalJsonAsync(target)).toBe(canonicalJson(target));
});

const text = new ExactJson(tiny(10_000));

test('a large text beyond the limit of waiting ones is refused at once', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: MAX_WAITING + 20 }, () => canonicalJsonAsync(text)),
  );
  const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(MAX_WAITING);
  for (const { reason } of refused) expect(reason).toMatchObject({ name: 'JsonBusyError' });
  expect(await canonicalJsonAsync(text)).toBe(canonicalJson(text));
});

test('a Workspace that fills the queue leaves a place for another one, whose text does not wait for all of its texts', async () => {
  const ended: string[] = [];
  const compare = async (workspace: string) => {
    await canonicalJsonAsync(text, { fairnessKey: { workspace, caller: '' } });
    ended.push(workspace);
  };
  const greedy = Array.from({ length: 40 }, () => compare('greedy'));
  const quiet = compare('quiet');
  await Promise.allSettled(greedy);
  await quiet;
  expect(ended).toContain('quiet');
  expect(ended.at(-1)).toBe('greedy');
});

test('a large text whose caller leaves while the text waits is not processed', async () => {
  const call = { fairnessKey: { workspace: 'w', caller: '' }, deadline: Number.POSITIVE_INFINITY };
  const before = Array.from({ length: 5 }, () => canonicalJsonAsync(text));
  const waiting = canonicalJsonAsync(text, call);
  call.deadline = 0;
  await expect(waiting).rejects.toMatchObject({ name: 'JsonBusyError' });
  await Promise.all(before);
});

test('a thread that fails to start rejects the waiting texts, and the next text gets another one', async () => {
  // The threads take NODE_OPTIONS from the environment, which this process has read already.
  const script = `
    const { readJsonAsync } = await import(${JSON.stringify(new URL('background.ts', import.meta.url).href)});
    const input = new TextEncoder().encode(JSON.stringify('x'.repeat(${LARGEST_IN_PLACE})));
    const read = () => readJsonAsync(input, { maxDepth: 1, maxValues: 1 });
    process.env.NODE_OPTIONS = '--import=data:text/javascript,throw%201';
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, read));
    delete process.env.NODE_OPTIONS;
    outcomes.push(...(await Promise.allSettled([read()])));
    process.stdout.write(JSON.stringify(outcomes.map(({ status }) => status)));`;
  const node = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, node, { timeout: 30_000 });
  expect(JSON.parse(stdout)).toEqual([...Array(5).fill('rejected'), 'fulfilled']);
});

test('values inside exact members do not count', () => {
  const read = (text: string) => readJson(bytes(text), { ...options, maxValues: 4 });
  expect(read('{"a":[1,2]}')).toEqual({ a: [1, 2] });
  expect(() => read('{"a":[1,2,3]}')).toThrow('more than 4 values');
  expect(() => read('{"payload":1,"a":{"x":[[]],"y":1}}')).toThrow('more than 4 values');
  expect(read(`{"payload":${tiny(100)}}`)).toEqual({ payload: new ExactJson(tiny(100)) });
});

const onLinux = platform() === 'linux' ? test : test.skip;

onLinux('the threads give way to the event loop, which keeps its priority', async () => {
  const own = getPriority();
  await canonicalJsonAsync(new ExactJson(tiny(10_000)));
  expect(niceOfThreads()).toContain(Math.min(own + 2, 19));
  expect(getPriority()).toBe(own);
});

/** The nice values of the threads of this process: the 19th field of proc_pid_stat(5). */
function niceOfThreads(): number[] {
  return readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}
