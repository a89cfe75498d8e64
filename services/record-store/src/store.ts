import type { CommonConfig, Logger } from '@action-platform/service-host';
import { Collections } from './collections/collections.ts';
import type { Documents } from './database/documents.ts';
import { Quota } from './quota/quota.ts';
import { Heads } from './records/heads.ts';
import { Revisions } from './revisions/revisions.ts';

/** The parts that the operations are made of. */
export interface RecordStore {
  readonly limits: CommonConfig;
  readonly documents: Documents;
  readonly collections: Collections;
  readonly heads: Heads;
  readonly revisions: Revisions;
  readonly quota: Quota;
}

/** Builds the parts upon the database. */
export function createStore(documents: Documents, limits: CommonConfig, log: Logger): RecordStore {
  return {
    limits,
    documents,
    collections: new Collections(documents),
    heads: new Heads(documents),
    revisions: new Revisions(documents),
    quota: new Quota({ documents, defaultQuota: limits.WORKSPACE_QUOTA_BYTES, log }),
  };
}
