import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { feedOf } from '@action-platform/contracts/operations';
import { paths } from '@action-platform/deployment';
import { localDirectory } from '@action-platform/local';
import { Cursors, readSecretKeys } from '@action-platform/sealing';
import type { Scenarios } from './scenario.ts';

export const eventScenarios: Scenarios = {
  event_cursor_expired: async (fixture, operation) => {
    const { keys } = localDirectory({ LOCAL_DIR: fixture.stack.directory });
    const sealKeys = readFileSync(join(keys, paths.sealKeys('events')), 'utf8');
    // As of a stream that is no more.
    const cursor = new Cursors(readSecretKeys('SEAL_KEYS', sealKeys)).at(feedOf(fixture.workspace), '1.1.0');
    return await fixture.call(fixture.owner.token, operation.id, { cursor });
  },
};
