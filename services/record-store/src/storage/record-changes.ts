import { follow, madeBy } from '@action-platform/change-events';
import { type StoredHead, storedHeads } from './stored-head.ts';

/** The changes of Records: every commit replaces the whole head, or inserts it. */
export const recordChanges = follow(storedHeads, {
  fields: ['workspace_id', 'collection_id', 'state', 'version', 'commit'],
  changesOf: (head: StoredHead) => {
    if (head.state === 'void') return [];
    const { _id: record_id, workspace_id: workspaceId, collection_id, version, state, commit } = head;
    const { type, sequence, at: time, operation_id, ...origin } = commit;
    const data = {
      ...{ collection_id, record_id, sequence, version, state },
      ...(operation_id !== undefined && { operation_id }),
      ...madeBy(origin),
    };
    return [{ workspaceId, type: `record.${type}`, subject: record_id, distinct: sequence, time, data }];
  },
});
