import type { Cursors } from '@action-platform/sealing';
import type { CommonConfig, Logger } from '@action-platform/service-host';
import type { MongoClient } from 'mongodb';
import type { Quota } from './quota/quota.ts';
import type { Usages } from './quota/usages.ts';
import type { Collections } from './storage/collections.ts';
import type { Heads } from './storage/heads.ts';
import type { Revisions } from './storage/revisions.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly limits: CommonConfig;
  readonly log: Logger;
  readonly client: MongoClient;
  readonly cursors: Cursors;
  readonly collections: Collections;
  readonly heads: Heads;
  readonly revisions: Revisions;
  readonly quota: Quota;
  readonly usages: Usages;
}
