import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SharedStack } from '../shared-stack.ts';
import { keptCases } from './case-files.ts';
import { FuzzedPlatform } from './environment/fuzzed-platform.ts';
import { fuzz } from './fuzz.ts';
import { targetNames } from './options.ts';
import type { Target } from './target.ts';
import { openTarget } from './targets.ts';

/** Enough inputs to show that the fuzzer works; `npm run e2e -- fuzz` runs longer. */
const INPUTS = { json: 300, http: 40, bus: 40 };

let stack: SharedStack;
let platform: FuzzedPlatform;
const targets = new Map<string, Target>();

beforeAll(async () => {
  stack = await SharedStack.join();
  platform = await FuzzedPlatform.in(stack.directory, stack.gateways[0]!);
  for (const name of targetNames) targets.set(name, await openTarget(name, async () => platform));
});
afterAll(async () => {
  for (const target of targets.values()) await target.close();
  platform.close();
  await stack.leave();
});

describe.each(targetNames)('%s', (name) => {
  for (const [file, { found, input }] of keptCases(name)) {
    test(`repeats no earlier finding (${file}): ${found}`, async () => {
      await targets.get(name)!.check(input);
    });
  }

  test('has no finding with some random inputs', async () => {
    const inputs = INPUTS[name];
    expect(await fuzz(targets.get(name)!, { seed: 1, inputs })).toEqual({ inputs });
  });
});
