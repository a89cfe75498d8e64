import { expect, test } from '@jest/globals';
import { ActionError } from './action-error.ts';
import { isDefect } from './defect.ts';

const thrown = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test.each([
  [thrown(() => (undefined as unknown as string).length), true],
  [new Error('a part failed', { cause: new TypeError('a defect') }), true],
  [undefined, true],
  [new ActionError('action_platform_unavailable'), false],
  [Object.assign(new Error('closed'), { code: 'ECONNRESET' }), false],
  [new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }), false],
  [AbortSignal.abort().reason, false],
])('%p: whether it is a defect: %p', (error, expected) => {
  expect(isDefect(error)).toBe(expected);
});
