import { ActionError, type Effect } from '@action-platform/contracts/errors';
import { expect, test } from '@jest/globals';
import type { Logger } from '../logging/logger.ts';
import { toActionError } from './answer.ts';

/** The level and code of a failed call. */
function failed(effect: Effect, deadline: number): [string[], string] {
  const levels: string[] = [];
  const log = { warn: () => levels.push('warn'), error: () => levels.push('error') };
  const thrown = new Error('password=hunter2');
  const { code, message } = toActionError(thrown, effect, { log: log as unknown as Logger, deadline });
  expect(message).not.toContain('hunter2');
  return [levels, code];
}

test.each<[string, Effect, number, string, string]>([
  ['a read', 'read', Infinity, 'error', 'action_platform_unavailable'],
  ['a read after its deadline', 'read', 0, 'warn', 'action_platform_unavailable'],
  ['a write', 'write', Infinity, 'error', 'action_infrastructure_failure'],
  ['a write after its deadline', 'write', 0, 'error', 'action_infrastructure_failure'],
])('a failure of %s is logged, and its text hidden', (_what, effect, deadline, level, code) => {
  expect(failed(effect, deadline)).toEqual([[level], code]);
});

test('a refusal is not logged, and stays as it is', () => {
  const refusal = new ActionError('grant_revoked');
  expect(toActionError(refusal, 'read', { log: undefined as unknown as Logger, deadline: 0 })).toBe(refusal);
});
