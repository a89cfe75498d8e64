import { fuzzParameters } from '@action-platform/testing/arbitraries';
import { beforeAll, jest, test } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { SharedStack } from '../shared-stack.ts';
import { makeGuarded } from './guarded.ts';
import { requestsTo } from './http/http.ts';
import { signIns } from './oauth/sign-in.ts';
import { type Fuzzed, makeFuzzed } from './references.ts';
import { StackHealth } from './stack-health.ts';

/** Inputs in flight at the same time. */
const AT_ONCE = 8;

// Longer than the fuzz suite runs a property.
jest.setTimeout(86_400_000);

const stack = new SharedStack();
let fuzzed: Fuzzed;

beforeAll(async () => {
  fuzzed = await makeFuzzed(stack);
});

/** Checks batches of random inputs, and the state that each leaves behind, also a failed one, so that no failure counts for the next. */
async function holds<Input, Found>(
  inputs: Arbitrary<Input>,
  check: (input: Input) => Promise<Found>,
  after: (found: readonly Found[]) => Promise<void>,
  batches: number,
): Promise<void> {
  const property = fc.asyncProperty(fc.array(inputs, { maxLength: AT_ONCE }), async (batch) => {
    const results = await Promise.allSettled(batch.map(check));
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const [left] = await Promise.allSettled([after(found)]);
    for (const result of [...results, left]) if (result.status === 'rejected') throw result.reason;
  });
  await fc.assert(property, fuzzParameters<[Input[]]>(batches));
}

test('http: every whole request has one documented answer', async () => {
  const { arbitrary, check } = await requestsTo(stack.gateways[0]!, fuzzed);
  const health = new StackHealth(stack, fuzzed.mark);
  await holds(arbitrary, check, () => health.check(), 10);
});

test('authority: an Owner’s ordinary session and grants decide nothing, make no Owner and read no secret', async () => {
  const guarded = await makeGuarded(stack);
  const { arbitrary, check } = await requestsTo(stack.gateways[0]!, guarded.fuzzed);
  await holds(arbitrary, check, (answers) => guarded.check(answers.flat()), 10);
});

test('oauth: no program gets a token that nobody allowed it, and no browser an address that no program has', async () => {
  const { arbitrary, check } = await signIns(stack, fuzzed.mark);
  const health = new StackHealth(stack, fuzzed.mark);
  await holds(arbitrary, check, () => health.check(), 10);
});
