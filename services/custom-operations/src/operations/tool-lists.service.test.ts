import { expect, test } from '@jest/globals';
import { TOOL } from '../test-support/test-mcp-server.ts';
import { causeOf, testTools } from '../test-support/test-tools.ts';

const tools = testTools();
/** A tool with this number of values and a few more. */
const toolOf = (name: string, values: number) => ({
  ...TOOL,
  name,
  inputSchema: { enum: Array(values).fill(0) },
});

test('a list has at most 200 tools, and a problem at one whose name is again behind them in the page', async () => {
  const names = [...Array.from({ length: 51 }, (_, n) => `b${n}`), 'b0'];
  tools.server.pages = [
    Array.from({ length: 150 }, (_, n) => ({ ...TOOL, name: `a${n}` })),
    names.map((name) => ({ ...TOOL, name })),
  ];
  await tools.connect();
  const { tools: listed, truncated } = await tools.list();
  expect([listed.length, truncated]).toEqual([200, true]);
  expect(listed.filter(({ problem }) => problem !== undefined).map(({ name }) => name)).toEqual(['b0']);
});

test('a list has at most 50,000 values: the pages until then count, and a first page with more is no list', async () => {
  tools.server.pages = ['a', 'b', 'c', 'd'].map((name) => [toolOf(name, 20_000)]);
  await tools.connect();
  const list = async () => {
    const { tools: listed, truncated } = await tools.list();
    return [listed.map(({ name }) => name), truncated];
  };
  expect(await list()).toEqual([['a', 'b'], true]);
  tools.server.pages = [[toolOf('a', 1)], [toolOf('b', 50_001)]];
  expect(await list()).toEqual([['a'], true]);
  tools.server.pages = [[toolOf('a', 25_000), toolOf('b', 25_000)]];
  await expect(tools.list()).rejects.toThrow('Cause: unreadable_answer');
});

test('a tool of more than 64 KiB has a problem, no digest, and is not called', async () => {
  const operation = await tools.define();
  tools.server.pages = [
    [
      { ...TOOL, description: 'x'.repeat(64 * 1024) },
      { ...TOOL, name: 'b' },
    ],
  ];
  const { tools: listed } = await tools.list();
  expect(listed.map(({ digest, problem }) => [digest === '', problem])).toEqual([
    [true, 'It has more than 65536 bytes.'],
    [false, undefined],
  ]);
  expect(causeOf(await tools.call(operation))).toBe('tool_changed');
});
