import type { Credential } from '@action-platform/contracts/calls';
import { getRecord } from '@action-platform/contracts/operations';
import { expect, test } from '@jest/globals';
import type { Authenticator } from '../authentication/authenticator.ts';
import { keptLog } from '../authentication/test-support/kept-log.ts';
import { CallAdmission } from './admission.ts';
import type { CallAudit } from './call-audit.ts';
import type { Exchange } from './exchange.ts';
import { FairnessKeys } from './fairness-keys.ts';

const arriving = { effect: 'read' } as const;
const credential: Credential = { kind: 'session', workspaceId: 'ws_1', userId: 'olga' };

function admissionOf(most: number): CallAdmission {
  return new CallAdmission({
    authenticator: { authenticate: async () => credential } as unknown as Authenticator,
    fairnessKeys: new FairnessKeys(),
    audit: { ended() {} } as unknown as CallAudit,
    log: keptLog().log,
    limits: { GATEWAY_MAX_IN_FLIGHT: most, GATEWAY_MAX_BYTES_IN_FLIGHT: 1_000_000 },
  });
}

function newExchange() {
  const ended = new AbortController();
  const exchange = { context: {}, belongsTo() {}, ended: ended.signal } as unknown as Exchange;
  return { exchange, end: () => ended.abort({ status: 200, isWhole: false }) };
}

test('callers that leave before their call is one of a service take no room there', async () => {
  const admission = admissionOf(2);
  const other = newExchange();
  await admission.run(other.exchange, arriving, async () => 'under way');
  for (let callers = 0; callers < 40; callers++) {
    const { exchange, end } = newExchange();
    const refusal = await admission.run(exchange, arriving, async (caller) => {
      end();
      caller.enter(getRecord);
    });
    expect(refusal).toMatchObject({ code: 'action_platform_unavailable' });
  }
  other.end();
  expect(admission.inFlight).toBe(0);
  const { service } = getRecord;
  expect(await admission.run(newExchange().exchange, { ...arriving, service }, async () => 'ok')).toBe('ok');
});

test('work that outlives its call takes no bytes', async () => {
  const admission = admissionOf(2);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let late: Promise<void> | undefined;
  await admission.run(newExchange().exchange, arriving, async ({ bytes }) => {
    bytes.holdMore(400_000);
    late = ended.then(() => bytes.holdMore(400_000));
  });
  end();
  await expect(late).rejects.toMatchObject({ code: 'action_platform_unavailable' });
  const next = admission.run(newExchange().exchange, arriving, async ({ bytes }) => bytes.holdMore(800_000));
  expect(await next).toBeUndefined();
});
