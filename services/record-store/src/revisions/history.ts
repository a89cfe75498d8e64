import { ActionError } from '@action-platform/contracts';
import type { LiveHead } from '../records/head.ts';
import { currentRevision } from '../records/views.ts';
import type { RevisionDocument } from './revision-document.ts';
import type { Revisions } from './revisions.ts';

/**
 * The revisions of a Record up to its head, oldest first, read as they are consumed.
 *
 * @param after the version after which to start; 0 for all of them.
 * @throws ActionError `record_store_record_not_found` when one is missing, because the Record was deleted meanwhile.
 */
export async function* history(
  revisions: Revisions,
  head: LiveHead,
  after: number,
): AsyncGenerator<RevisionDocument, void, undefined> {
  let version = after;
  for await (const revision of revisions.between(head.workspace_id, head._id, after, head.version)) {
    version++;
    if (revision.version !== version) throw new ActionError('record_store_record_not_found');
    yield revision;
  }
  if (version !== head.version - 1) throw new ActionError('record_store_record_not_found');
  yield currentRevision(head);
}
