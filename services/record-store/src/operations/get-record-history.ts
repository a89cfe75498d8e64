import { getRecordHistory } from '@action-platform/contracts';
import { nextCursor, positionIn, readPage } from '@action-platform/paging';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { readableCollection } from '../collections/access.ts';
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
    const after = Number(positionIn(listing, cursor, isVersionUpTo(head.version)) ?? 0);
    const following = history(revisions, head, after);
    if (limit === undefined) return { revisions: streamed(following), next_cursor: null };
    const page = await readPage(following, {
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: ({ bytes }) => bytes,
    });
    return {
      revisions: page.items.map(toRevision),
      next_cursor: nextCursor(listing, page, ({ version }) => String(version)),
    };
  });
}

async function* streamed(documents: ReturnType<typeof history>) {
  for await (const document of documents) yield toRevision(document);
}

/** Whether a position is a version that a Record with this many of them has. */
function isVersionUpTo(latest: number): (position: string) => boolean {
  return (position) => /^[1-9]\d{0,15}$/.test(position) && Number(position) <= latest;
}
