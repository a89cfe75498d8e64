import type { Json } from '@action-platform/testing/http';
import type { Attempt } from '../history.ts';
import { type Answered, operation, type Session } from './session.ts';

/** The ids of all Records of a Collection, from all pages of a listing. */
export async function listAll(session: Session, collection: string, token?: string): Promise<Answered> {
  const records: string[] = [];
  const attempts: Attempt[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = { collection_id: collection, state: 'all', limit: 200, ...(cursor && { cursor }) };
    const read = (page: Json) => {
      records.push(...page.records.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
      return {};
    };
    const request = operation('record_store.list_records', input, read);
    const page = await session.ask({ ...request, ...(token !== undefined && { token }) });
    attempts.push(...page.attempts);
    if (page.outcome.is !== 'done') return { outcome: page.outcome, attempts };
  }
  return { outcome: { is: 'done', result: { records } }, attempts };
}
