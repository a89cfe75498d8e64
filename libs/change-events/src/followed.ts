import type { Change } from '@action-platform/contracts';
import type { Document } from 'mongodb';

/** A change that a stored document tells of. */
export interface StoredChange extends Change {
  /** The path of the field that an update adds to tell of it; absent when the insert or a replacement made it. */
  readonly field?: string;
}

/** A collection of a service's database whose changes are events. */
export interface Followed<Stored extends object = object> {
  /** Its name. */
  readonly collection: string;
  /** The fields that `changesOf` reads, besides `_id`. No other field reaches the tail, so content stays in the database. */
  readonly fields: readonly string[];
  /** Matches the updates that are changes, as events of the change stream; by default only inserts and replacements are. */
  readonly updates?: Document;
  /** The changes that a document tells of, oldest first. */
  changesOf(stored: Stored): readonly StoredChange[];
}

/** An event of the change stream. */
export interface DatabaseChange {
  readonly operationType: 'insert' | 'replace' | 'update';
  readonly ns: { readonly coll: string };
  /** Null when the document was deleted since an update. */
  readonly fullDocument: object | null;
  readonly updateDescription?: { readonly updatedFields?: Readonly<Record<string, unknown>> };
  /** The time of the commit by the clock of the database. */
  readonly wallTime: Date;
}

/** The pipeline of the change stream: the changes of these collections, with the declared fields alone. */
export function pipelineOf(followed: readonly Followed[]): Document[] {
  const inserted = {
    'ns.coll': { $in: followed.map(({ collection }) => collection) },
    operationType: { $in: ['insert', 'replace'] },
  };
  const updated = followed
    .filter(({ updates }) => updates !== undefined)
    .map(({ collection, updates }) => ({ 'ns.coll': collection, operationType: 'update', ...updates }));
  const fields = new Set(['_id', ...followed.flatMap((each) => each.fields)]);
  const updatedFields = updated.length === 0 ? {} : { 'updateDescription.updatedFields': 1 };
  return [
    { $match: { $or: [inserted, ...updated] } },
    {
      $project: {
        operationType: 1,
        'ns.coll': 1,
        wallTime: 1,
        ...updatedFields,
        ...Object.fromEntries([...fields].map((field) => [`fullDocument.${field}`, 1])),
      },
    },
  ];
}

/** The changes that an event of the change stream tells of. */
export function changesIn(
  { operationType, fullDocument, updateDescription }: DatabaseChange,
  followed: Followed,
): readonly StoredChange[] {
  if (fullDocument === null) return [];
  const changes = followed.changesOf(fullDocument);
  if (operationType !== 'update') return changes;
  const updated = updateDescription?.updatedFields ?? {};
  return changes.filter(({ field }) => field !== undefined && hasField(updated, field));
}

/** Whether an update set a field, alone or with the whole field that has it. */
function hasField(updated: Readonly<Record<string, unknown>>, path: string): boolean {
  if (Object.hasOwn(updated, path)) return true;
  const [parent = '', child] = path.split('.');
  if (child === undefined || !Object.hasOwn(updated, parent)) return false;
  return Object.hasOwn(updated[parent] as object, child);
}
