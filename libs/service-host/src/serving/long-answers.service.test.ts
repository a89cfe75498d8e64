import { busHeaders } from '@action-platform/bus';
import {
  getRecord,
  getRecordHistory,
  type Operation,
  restoreRecord,
} from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { serviceOf, serving } from '../test-support/serving.ts';
import { serveOperation } from './serve.ts';

const TEXT = 'x'.repeat(100_000);
/** How many answers have begun to be made, and been let go of. */
let begun = 0;
let ended = 0;

const service = serviceOf('record-store', [
  serveOperation(getRecord, async () => ({ record: large() as never })),
  serveOperation(restoreRecord, async () => ({ record: large() as never })),
  serveOperation(getRecordHistory, async () => ({ revisions: revisions() as never, next_cursor: null })),
]);

/** A Record that does not fit one message. */
const large = () => ({ payload: 'x'.repeat(200_000) });

async function* revisions() {
  begun++;
  try {
    for (let version = 1; version <= 20; version++) yield [{ version, payload: TEXT }];
  } finally {
    ended++;
  }
}

const platform = serving(service, { SERVICE_MAX_LONG_ANSWERS: '2' });

/** Calls an operation, and reads no more of its answer than comes by itself. */
const call = (operation: Operation, timeoutMs = 10_000) =>
  platform.begin(
    operation,
    anOwner(),
    { collection_id: 'col_c', record_id: 'r' },
    { timeoutMs, effect: operation.effect },
  );
const ask = () => call(getRecordHistory);

test('unread answers hold a limited number of places, and the next ones begin when these end', async () => {
  const first = [await ask(), await ask()];
  const third = ask();
  const [reply] = await Promise.race([
    Promise.all([third]),
    new Promise<[]>((resolve) => setTimeout(resolve, 300, [])),
  ]);
  expect([reply, begun, ended]).toEqual([undefined, 2, 0]);

  await first[0]!.more!.return(undefined);
  const answer = await third;
  expect(begun).toBe(3);
  const chunks = await Array.fromAsync(answer.more!);
  const whole = JSON.parse(Buffer.concat([answer.body, ...chunks]).toString());
  expect(whole.result.revisions).toHaveLength(20);
  await first[1]!.more!.return(undefined);
  while (ended < 3) await new Promise(setImmediate);
});

test('whole answers beyond one message count too, and a write without a place has an unknown outcome', async () => {
  const unread = [await call(getRecord), await call(restoreRecord)];
  expect(unread.map(({ status }) => status)).toEqual([200, 200]);
  const refused = await Promise.all([call(getRecord, 1_000), call(restoreRecord, 1_000)]);
  const codes = refused.map((each) => each.header(busHeaders.errorCode));
  expect(codes).toEqual(['action_platform_unavailable', 'action_infrastructure_failure']);
  expect(refused[0]!.header(busHeaders.busy)).toBe('true');

  for (const { body, more } of unread) {
    const whole = JSON.parse(Buffer.concat([body, ...(await Array.fromAsync(more!))]).toString());
    expect(whole.result.record).toEqual(large());
  }
  const next = await call(getRecord);
  expect(next.status).toBe(200);
  await next.more!.return(undefined);
});
