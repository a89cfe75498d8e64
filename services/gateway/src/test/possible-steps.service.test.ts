import { newGrantSecret } from '@action-platform/contracts/authority';
import { discover } from '@action-platform/contracts/calls';
import { ActionError, type ErrorCode, nextStep } from '@action-platform/contracts/errors';
import { toolName } from '@action-platform/contracts/ids';
import { errorsOf, type Granted, operations } from '@action-platform/contracts/operations';
import { describe, expect, test } from '@jest/globals';
import { jsonIn, McpClient } from './mcp-client.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const all = [...operations.values()];
const { harness, standIns } = gatewayWithStandIns(all);

/** The operations that a text names, by id or by tool. */
const namedIn = (text: string) =>
  all.map(({ id }) => id).filter((id) => text.includes(id) || text.includes(toolName(id)));

/** The codes whose step names an operation, each with an operation that declares it. */
const declared = all.flatMap((operation) => errorsOf(operation).map((code) => [code, operation] as const));
const naming = [...new Map(declared).entries()].filter(([code]) => namedIn(nextStep(code)).length > 0);

/** The refusals of a grant that has this operation: over HTTP, at /mcp, and in discovery. */
async function refusals(code: ErrorCode, operation: (typeof all)[number], granted: Granted) {
  standIns.answers.set(discover.subject, json(granted));
  standIns.answers.set(operation.subject, async () => new ActionError(code));
  const secret = newGrantSecret(granted.routine === undefined ? 'operation' : 'routine');
  const http = await harness.execute(secret, operation, operation.example);
  const mcp = jsonIn(await new McpClient(harness, secret).call(operation, operation.example));
  const listed = await harness.http.get('/api/v1/operations').auth(secret, { type: 'bearer' });
  const document = await harness.http.get('/api/v1/operations?view=openapi').auth(secret, { type: 'bearer' });
  const template = listed.body.operations[0].errors.find((error: { code: string }) => error.code === code);
  const { next, recoverable } = template as { next: string; recoverable: boolean };
  const [overHttp, overMcp] = [http.body.error, (mcp as { error: typeof template }).error];
  for (const error of [overHttp, overMcp, document.body.components.examples[code].value.error])
    expect(error).toMatchObject({ code, recoverable });
  expect(overHttp.next).toBe(next);
  return [{ next, recoverable }, overMcp] as const;
}

describe.each(naming)('the next step of %s', (code, operation) => {
  test('names no operation that a grant does not have, and then needs another person', async () => {
    for (const error of await refusals(code, operation, { operations: [operation.id] })) {
      expect(namedIn(error.next).filter((id) => id !== operation.id)).toEqual([]);
      expect(error.recoverable).toBe(!/^Ask the Member/.test(error.next));
    }
  });

  test('is that of the catalogue for a grant that has them all', async () => {
    const granted = { operations: all.map(({ id }) => id) };
    standIns.answers.set(discover.subject, json(granted));
    standIns.answers.set(operation.subject, async () => new ActionError(code));
    const { body } = await harness.execute(newGrantSecret('operation'), operation, operation.example);
    expect(body.error).toMatchObject({ code, recoverable: true, next: nextStep(code) });
  });
});

test.each<[ErrorCode, NonNullable<Granted['routine']>, string]>([
  ['mail_sender_required', { data: { senderIds: ['snd_1'] } }, 'Send sender_id: snd_1.'],
  [
    'mail_sender_required',
    { data: { senderIds: ['snd_1', 'snd_2'] } },
    'Send sender_id: one of snd_1, snd_2.',
  ],
  [
    'mail_output_definition_required',
    { data: {}, outputDefinition: 'A report' },
    'Send output_definition: A report.',
  ],
])('the next step of %s says the value that the grant %j allows', async (code, routine, next) => {
  const operation = operations.get('mail.send_email')!;
  const granted: Granted = { operations: [operation.id], routine };
  for (const error of await refusals(code, operation, granted))
    expect(error).toMatchObject({ next, recoverable: true });
});
