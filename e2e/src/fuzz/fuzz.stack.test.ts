import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SharedStack } from '../shared-stack.ts';
import { keptCases } from './case-files.ts';
import { FuzzedPlatform } from './environment/fuzzed-platform.ts';
import { fuzz } from './fuzz.ts';
import { targetNames } from './options.ts';
import type { Target } from './target.ts';
import { openTarget } from './targets.ts';

/** Enough to see that the fuzzer works; the hunt is `npm run e2e -- fuzz`. */
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
    test(`does right what it once did wrong (${file}): ${found}`, async () => {
      await targets.get(name)!.check(input);
    });
  }

  test('does nothing wrong with some inputs that nobody has seen to', async () => {
    const inputs = INPUTS[name];
    expect(await fuzz(targets.get(name)!, { seed: 1, inputs })).toEqual({ inputs });
  });
});
