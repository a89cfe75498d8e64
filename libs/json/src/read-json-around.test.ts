import { deepStrictEqual } from 'node:assert/strict';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readJsonAsync } from './background/background.ts';
import { JsonAmbiguityError, JsonSyntaxError } from './errors.ts';
import { readJson } from './read-json.ts';
import { readJsonAround } from './read-json-around.ts';
import { bytesOf, jsonObjects, jsonValues, respelled, respelledString } from './test-support/json-texts.ts';

const options = { maxDepth: 64, maxValues: 5_000 };
const around = async (text: string) => {
  const { value, member } = await readJsonAround(bytesOf(text), ['params', 'arguments'], options);
  return { value, member: member === undefined ? undefined : Buffer.from(member).toString() };
};

describe('readJsonAround', () => {
  test('leaves to another reader what the member contains: depth, repeated names, errors of syntax', async () => {
    for (const sent of ['['.repeat(5_000) + ']'.repeat(5_000), '{"a":1,"a":2}', '{"a":tru}', '"\\ud800"']) {
      expect((await around(`{"params":{"arguments":${sent}}}`)).member).toBe(sent);
    }
  });

  test('finds the end of any string, near or far', async () => {
    for (let length = 0; length < 200; length++) {
      for (const end of ['', '\\"', '\\\\', '\\\\\\"', '\\"\\"']) {
        const sent = `"${'x'.repeat(length)}${end}${'y'.repeat(length % 3)}"`;
        expect((await around(`{"params":{"arguments":${sent} ,"z":"}"}}`)).member).toBe(sent);
      }
    }
  });

  test.each([
    ['another text', '[1]'],
    ['an object without it', '{"arguments":{},"params":{"name":"x"}}'],
    ['a value on its path that is no object', '{"params":["arguments",{}]}'],
    ['a longer path', '{"params":{"a":{"arguments":{}}}}'],
  ])('finds no member in %s', async (_name, text) => {
    expect(await around(text)).toEqual({ value: JSON.parse(text), member: undefined });
  });

  test.each([
    ['the member', '{"params":{"arguments":{},"arguments":{}}}'],
    ['the member, spelled with escapes', '{"params":{"arguments":{},"\\u0061rguments":{}}}'],
    ['a name on the path', '{"params":{"arguments":{}},"params":{}}'],
    ['a name on the path, before it', '{"params":{},"params":{"arguments":{}}}'],
  ])('refuses two members of one name: %s', async (_name, text) => {
    await expect(around(text)).rejects.toBeInstanceOf(JsonAmbiguityError);
  });

  test('accepts a text exactly when it is JSON, if the member is', async () => {
    const envelope = fc
      .tuple(jsonValues, jsonObjects, jsonObjects, fc.gen())
      .map(([sent, before, params, choose]) => {
        const { params: _p, ...top } = before;
        const { arguments: _a, ...rest } = params;
        const written = respelled(sent, choose);
        const members = (value: object) => respelled(value, choose).slice(1, -1).trim();
        const comma = (text: string) => (text === '' ? '' : `${text},`);
        const name = (text: string) => respelledString(text, choose);
        const text = `{${comma(members(top))}${name('params')}:{${comma(members(rest))}${name('arguments')}: ${written}\t}}`;
        return { text, written };
      });
    await fc.assert(
      fc.asyncProperty(envelope, async ({ text, written }) => {
        const expected = JSON.parse(text) as { params: Record<string, unknown> };
        expected.params.arguments = null;
        deepStrictEqual(await around(text), { value: expected, member: written });
      }),
      { numRuns: 200 },
    );
  });

  test('together with its member gives what a text gives as a whole, also one a few bytes away from JSON', async () => {
    const text = bytesOf(
      '{"jsonrpc":"2.0","id":1,"params":{"name":"a\\"b","arguments":{"a":[1,"]"]},"z":null}}',
    );
    const change = fc.tuple(
      fc.nat(text.length - 1),
      fc.oneof(fc.nat(255), fc.constantFrom(...bytesOf('{}[]",:\\'))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const changed = text.slice();
        for (const [at, byte] of changes) changed[at] = byte;
        const whole = await readJsonAsync(changed, options).catch(undefinedIfRefused);
        deepStrictEqual(await readInParts(changed).catch(undefinedIfRefused), whole);
      }),
      { numRuns: 500 },
    );
  });
});

async function readInParts(text: Uint8Array): Promise<unknown> {
  const { value, member } = await readJsonAround(text, ['params', 'arguments'], options);
  if (member !== undefined) {
    (value as { params: Record<string, unknown> }).params.arguments = readJson(member, options);
  }
  return value;
}

function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof JsonSyntaxError || error instanceof JsonAmbiguityError)) throw error;
}
