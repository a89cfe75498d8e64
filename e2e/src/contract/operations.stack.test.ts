import { operations } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { SharedStack } from '../shared-stack.ts';
import { execute } from '../stack-process.ts';
import { nearlyAccepted } from './mutation.ts';
import { isAcceptedBy } from './openapi.ts';
import type { JsonSchema } from './schema-arbitrary.ts';

jest.setTimeout(600_000);

/** Requests per operation; raise it for a longer hunt. */
const RUNS = Number(process.env.CONTRACT_RUNS ?? 20);

let stack: SharedStack;
let demo: Demo;
let descriptors: Map<string, Descriptor>;

interface Descriptor {
  readonly id: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly errors: readonly { code: string }[];
}

beforeAll(async () => {
  stack = await SharedStack.join();
  demo = await stack.workspace();
  const response = await fetch(`${demo.base_url}/api/v1/operations`, {
    headers: { Authorization: `Bearer ${demo.owner.token}` },
  });
  const listed = (await response.json()) as { operations: Descriptor[] };
  descriptors = new Map(listed.operations.map((descriptor) => [descriptor.id, descriptor]));
});
afterAll(() => stack.leave());

describe.each([...operations.keys()])('%s', (id) => {
  test('accepts exactly what its published schema accepts, and answers only as documented', async () => {
    const { inputSchema, outputSchema, errors } = descriptors.get(id)!;
    const codes = errors.map(({ code }) => code);
    await fc.assert(
      fc.asyncProperty(nearlyAccepted(inputSchema), async (input) => {
        const { status, body } = await execute(demo.base_url, demo.owner.token, `${id}`, input as object);
        const code = body.error?.code;
        const refused = code === 'invalid_request' || code === 'record_store_invalid_payload';
        // A schema cannot express that a cursor must come from a listing.
        const isForeignCursor = refused && (input as { cursor?: unknown } | null)?.cursor !== undefined;
        if (!isForeignCursor)
          expect({ input, refused, code }).toEqual({
            input,
            refused: !isAcceptedBy(inputSchema, input),
            code,
          });
        if (status === 200)
          expect({ answer: body.result, valid: isAcceptedBy(outputSchema, body.result) }).toMatchObject({
            valid: true,
          });
        else expect(codes).toContain(code);
        expect([200, 400, 403]).toContain(status);
      }),
      { numRuns: RUNS },
    );
  });
});

test('no process restarted during the tests', async () => {
  expect(await stack.output()).not.toContain('starting it again');
});
