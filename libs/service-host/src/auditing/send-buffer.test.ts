import { expect, test } from '@jest/globals';
import type { Logger } from '../logging/logger.ts';
import { SendBuffer } from './send-buffer.ts';

/** More microtasks than lie between the last acknowledgement and the end of a turn of sending. */
const MICROTASKS = 10;

test.each(Array.from({ length: MICROTASKS }, (_, after) => after))(
  'sends entries that arrive %i microtasks after the acknowledgement of all others',
  async (after) => {
    const stored: string[] = [];
    const acknowledged = Promise.withResolvers<void>();
    const store = async (_id: string, body: Uint8Array) => {
      stored.push(...JSON.parse(Buffer.from(body).toString()).entries);
      await acknowledged.promise;
    };
    const buffer = new SendBuffer(store, {} as Logger);
    buffer.add(['"first"']);
    acknowledged.resolve();
    for (let passed = 0; passed < after; passed++) await undefined;
    buffer.add(['"second"']);
    await new Promise(setImmediate);
    expect(stored).toEqual(['first', 'second']);
  },
);
