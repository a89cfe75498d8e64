import type { Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { BSON, type Db, type Document, type Sort } from 'mongodb';
import { whileAwaited, within } from '../time-limit.ts';
import type { ExportedDocuments, StoredDocuments } from './stored-documents.ts';

/** A step of an export. */
export interface ExportStep {
  /** Undefined where the documents of a further parent begin. */
  readonly line?: { readonly type: string; readonly data: object };
  /** Where the export continues after this step, as text. */
  readonly next: () => string;
}

/** The values of the ordering fields of a document; before them its parent, if it was read by parents. A parent alone is before its first. */
type OrderKey = readonly unknown[];

/** The number of documents in one batch of a cursor. */
const READ_AT_ONCE = 100;

/**
 * Streams what the declared collections have of a Workspace, in steps, of which thousands may have no line. A document that exists throughout is neither skipped nor repeated.
 *
 * @param after the `next` of the last step before; ActionError `invalid_request` when this version cannot continue there.
 */
export async function* exportFrom(
  db: Db,
  declared: readonly StoredDocuments[],
  workspaceId: string,
  after: string | undefined,
  timed: Timed,
): AsyncGenerator<ExportStep> {
  const { index: first, key: from } =
    after === undefined ? { index: 0, key: undefined } : keyIn(declared, after);
  for (const [index, { collection, ofWorkspace, exported }] of declared.entries()) {
    if (index < first || exported === undefined || ofWorkspace === undefined) continue;
    const start = index === first ? from : undefined;
    for await (const part of parts(db, workspaceId, exported, start, timed)) {
      if (part.isFurther) yield { next: () => BSON.EJSON.stringify([collection, part.parent]) };
      const filter = { ...ofWorkspace(workspaceId), ...exported.filter, ...part.filter };
      for await (const found of inOrder(db, collection, filter, exported.order, part.after, timed)) {
        const key = [...part.parent, ...Object.keys(exported.order).map((field) => found[field])];
        const line = { type: exported.type, data: exported.data(found) };
        yield { line, next: () => BSON.EJSON.stringify([collection, key]) };
      }
    }
  }
}

/** The collection and the key in it that a `next` names. Throws ActionError `invalid_request` when no step can have it. */
function keyIn(declared: readonly StoredDocuments[], next: string): { index: number; key: OrderKey } {
  const [from, key] = parsed(next);
  const index = declared.findIndex(({ collection }) => collection === from);
  const exported = declared[index]?.exported;
  const fields = exported && Object.keys(exported.order).length;
  const lengths = exported?.forEach ? [1, 1 + fields!] : [fields];
  if (!Array.isArray(key) || !lengths.includes(key.length)) throw new ActionError('invalid_request');
  return { index, key };
}

function parsed(next: string): readonly unknown[] {
  try {
    const value: unknown = BSON.EJSON.parse(next);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

interface Part {
  readonly filter: Document;
  readonly parent: OrderKey;
  /** Whether the export comes to the parent now, and does not continue there. */
  readonly isFurther: boolean;
  readonly after: OrderKey | undefined;
}

/** The parts of a collection in which an index has the documents in order: one for each parent, else the whole. */
async function* parts(
  db: Db,
  workspace_id: string,
  { forEach }: ExportedDocuments,
  after: OrderKey | undefined,
  timed: Timed,
): AsyncGenerator<Part> {
  if (forEach === undefined) return yield { filter: {}, parent: [], isFurther: false, after };
  const from = after === undefined ? {} : { _id: { $gte: after[0] } };
  const parents = db
    .collection(forEach.collection)
    .find({ workspace_id, ...from } as Document, { sort: { _id: 1 }, ...within(timed) });
  for await (const { _id } of whileAwaited(parents, timed)) {
    const isResumed = after !== undefined && after[0] === (_id as unknown);
    const part = { filter: { [forEach.field]: _id }, parent: [_id], isFurther: !isResumed };
    yield { ...part, after: isResumed && after.length > 1 ? after.slice(1) : undefined };
  }
}

/** Streams documents in the order of an index, from beyond a key. */
function inOrder(
  db: Db,
  collection: string,
  filter: Document,
  order: ExportedDocuments['order'],
  after: OrderKey | undefined,
  timed: Timed,
): AsyncGenerator<Document> {
  const query = after === undefined ? filter : { ...filter, $or: beyond(order, after) };
  const options = { sort: order as Sort, batchSize: READ_AT_ONCE, ...within(timed) };
  return whileAwaited(db.collection(collection).find(query, options), timed);
}

/** The conditions of the documents beyond a key: equal in the first fields, and beyond in the next. */
function beyond(order: ExportedDocuments['order'], key: OrderKey): Document[] {
  const fields = Object.entries(order);
  return fields.map(([field, direction], index) => {
    const equal = fields.slice(0, index).map(([same], at) => [same, { $eq: key[at] }]);
    const value = key[index];
    // No value is greater than null for a query, though others follow it in an index.
    const further = value === null ? { $ne: null } : { [direction === 1 ? '$gt' : '$lt']: value };
    return { ...Object.fromEntries(equal), [field]: further };
  });
}
