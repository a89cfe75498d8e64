import { getRecordHistory } from '@action-platform/contracts';
import { decodeCursor } from '@action-platform/mongo';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { readableCollection } from '../collections/access.ts';
import { cursorAfter, readPage } from '../paging/page.ts';
import { history } from '../revisions/history.ts';
import { toRevision } from '../revisions/revision-document.ts';
import type { RecordStore } from '../store.ts';
import { referenceOf } from './reference.ts';

/** record_store.get_record_history */
export function serveGetRecordHistory({
  collections,
  heads,
  revisions,
  limits,
}: RecordStore): ServedOperation {
  return serveOperation(getRecordHistory, async (input, { principal }) => {
    const { collection_id, record_id, limit, cursor } = input;
    await readableCollection(collections, principal, collection_id);
    const head = await heads.get(referenceOf(principal, input));
    const listing = `history ${record_id}`;
    const after = cursor === undefined ? 0 : Number(decodeCursor(listing, cursor));
    const following = history(revisions, head, after);
    if (limit === undefined) return { revisions: streamed(following), next_cursor: null };
    const page = await readPage(following, {
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: ({ bytes }) => bytes,
    });
    return {
      revisions: page.items.map(toRevision),
      next_cursor: cursorAfter(listing, page, ({ version }) => String(version)),
    };
  });
}

async function* streamed(documents: ReturnType<typeof history>) {
  for await (const document of documents) yield toRevision(document);
}
