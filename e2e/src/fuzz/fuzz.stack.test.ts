import { fuzzParameters } from '@action-platform/testing/arbitraries';
import { afterAll, beforeAll, jest, test } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { SharedStack } from '../shared-stack.ts';
import { busAnswers } from './bus/answers.ts';
import { answerCases, requestCases } from './bus/cases.ts';
import { FuzzedGateway } from './bus/fuzzed-gateway.ts';
import { busRequests } from './bus/requests.ts';
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

interface Run<Input> {
  /** Checks the state that a batch of inputs leaves behind, also a failed one, so that no failure counts for the next inputs. */
  readonly afterwards: () => Promise<unknown>;
  /** The number of batches in a run without a time. */
  readonly batches: number;
  readonly examples?: readonly Input[];
}

/** Checks batches of inputs: the examples first, then random ones. */
async function holds<Input>(
  inputs: Arbitrary<Input>,
  check: (input: Input) => Promise<void>,
  { afterwards, batches, examples = [] }: Run<Input>,
): Promise<void> {
  const property = fc.asyncProperty(fc.array(inputs, { maxLength: AT_ONCE }), async (batch) => {
    const results: PromiseSettledResult<unknown>[] = await Promise.allSettled(batch.map(check));
    results.push(...(await Promise.allSettled([afterwards()])));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  });
  await fc.assert(property, {
    ...fuzzParameters<[Input[]]>(batches + examples.length),
    examples: examples.map((example) => [[example]]),
  });
}

test('http: every whole request has one documented answer', async () => {
  const requests = await HttpRequests.to(stack.gateways[0]!, fuzzed);
  const afterwards = () => health.check();
  await holds(requests.arbitrary, (request) => requests.check(request), { afterwards, batches: 10 });
});

test('bus requests: every service answers each with a result or a refusal', async () => {
  await holds(busRequests(fuzzed), (request) => services.check(request), {
    afterwards: () => health.check(),
    batches: 5,
    examples: requestCases(fuzzed),
  });
});

test('bus answers: the gateway answers each call once, whatever services answer it', async () => {
  await holds(busAnswers(fuzzed.mark), (answers) => gateway.check(answers), {
    afterwards: async () => gateway.checkLog(),
    batches: 5,
    examples: answerCases,
  });
});
