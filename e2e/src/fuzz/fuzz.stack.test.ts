import { fuzzParameters } from '@action-platform/testing/arbitraries';
import { afterAll, beforeAll, jest, test } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { SharedStack } from '../shared-stack.ts';
import { answerCases, requestCases } from './bus/cases.ts';
import { FuzzedGateway } from './bus/fuzzed-gateway.ts';
import { FuzzedServices } from './bus/services.ts';
import { HttpRequests } from './http/http.ts';
import { type Fuzzed, makeFuzzed } from './references.ts';
import { StackHealth } from './stack-health.ts';

/** Inputs in flight at the same time. */
const AT_ONCE = 8;

// Longer than the fuzz suite runs a property.
jest.setTimeout(86_400_000);

let stack: SharedStack;
let fuzzed: Fuzzed;
let health: StackHealth;
let services: FuzzedServices;
let gateway: FuzzedGateway;

beforeAll(async () => {
  stack = await SharedStack.join();
  fuzzed = await makeFuzzed(stack);
  health = new StackHealth(stack, fuzzed.mark);
  services = await FuzzedServices.open(stack.directory);
  gateway = await FuzzedGateway.start(fuzzed.mark);
});
afterAll(async () => {
  await gateway?.stop();
  await services?.close();
  await stack.leave();
});

/** Checks batches of random inputs, and the state that each leaves behind, also a failed one, so that no failure counts for the next. */
async function holds<Input>(
  inputs: Arbitrary<Input>,
  check: (input: Input) => Promise<void>,
  batches: number,
): Promise<void> {
  const property = fc.asyncProperty(fc.array(inputs, { maxLength: AT_ONCE }), async (batch) => {
    const results: PromiseSettledResult<unknown>[] = await Promise.allSettled(batch.map(check));
    results.push(...(await Promise.allSettled([health.check()])));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  });
  await fc.assert(property, fuzzParameters<[Input[]]>(batches));
}

test('http: every whole request has one documented answer', async () => {
  const requests = await HttpRequests.to(stack.gateways[0]!, fuzzed);
  await holds(requests.arbitrary, (request) => requests.check(request), 10);
});

test('services answer each message on the bus that once did harm with a result or a refusal', async () => {
  for (const request of requestCases(fuzzed)) await services.check(request);
  await health.check();
});

test('the gateway answers each call once, whatever services answered it that once did harm', async () => {
  for (const answers of answerCases) await gateway.check(answers);
  gateway.checkLog();
});
