import type { Change, ChangeEventType, ChangeTypeOf } from '@action-platform/contracts/change-events';
import type { ServiceName } from '@action-platform/contracts/services';
import type { StoredDocuments } from '@action-platform/mongo';
import type { Document } from 'mongodb';

/** A change that a stored document shows. */
export interface StoredChange<Type extends ChangeEventType = ChangeEventType> extends Change {
  readonly type: Type;
  /** The path of the field that an update adds to tell of it; absent when the insert or a replacement made it. */
  readonly field?: string;
}

/** A collection of a service's database whose changes are events. */
export interface Followed<Stored extends object = object, Type extends ChangeEventType = ChangeEventType> {
  /** Its name. */
  readonly collection: string;
  /** The fields that `changesOf` reads, besides `_id`. No other field reaches the tail, so content stays in the database. */
  readonly fields: readonly string[];
  /** Whether updates are changes too, besides inserts and replacements: those that set the `field` of a change. */
  readonly updates?: true;
  /** The changes that a document shows, oldest first. */
  changesOf(stored: Stored): readonly StoredChange<Type>[];
}

/** Declares that the changes of these documents are events, of the types that `changesOf` returns. */
export function follow<Stored extends object, Type extends ChangeEventType>(
  { collection }: StoredDocuments<Stored>,
  followed: Omit<Followed<Stored, Type>, 'collection'>,
): Followed<Stored, Type> {
  return { collection, ...followed };
}

/**
 * The followed collections of a service. Collections that show no change of a declared type do not compile, and the error names the type.
 */
export type FollowedBy<Service extends ServiceName, All extends readonly Followed[]> =
  ChangeTypeOf<Service> extends TypesIn<All>
    ? All
    : { readonly noDocumentShows: Exclude<ChangeTypeOf<Service>, TypesIn<All>> };

type TypesIn<All extends readonly Followed[]> = ReturnType<All[number]['changesOf']>[number]['type'];

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

/**
 * The pipeline of the change stream: the changes of these collections, with the declared fields alone. The stream matches every write to
 * the whole replica set, of other databases too, so its condition stays simple: `$or` takes 1.6 times as long for each.
 */
export function pipelineOf(followed: readonly Followed[]): Document[] {
  const updates = hasUpdates(followed);
  const operationTypes = ['insert', 'replace', ...(updates ? ['update'] : [])];
  const fields = new Set(['_id', ...followed.flatMap((each) => each.fields)]);
  return [
    {
      $match: {
        'ns.coll': { $in: followed.map(({ collection }) => collection) },
        operationType: { $in: operationTypes },
      },
    },
    {
      $project: {
        operationType: 1,
        'ns.coll': 1,
        wallTime: 1,
        ...(updates && { 'updateDescription.updatedFields': 1 }),
        ...Object.fromEntries([...fields].map((field) => [`fullDocument.${field}`, 1])),
      },
    },
  ];
}

/** Whether updates of any of these collections are changes. */
export function hasUpdates(followed: readonly Followed[]): boolean {
  return followed.some(({ updates }) => updates);
}

/** The changes that an event of the change stream shows. */
export function changesIn(
  { operationType, fullDocument, updateDescription }: DatabaseChange,
  followed: Followed,
): readonly StoredChange[] {
  if (fullDocument === null) return [];
  if (operationType !== 'update') return followed.changesOf(fullDocument);
  const updated = updateDescription?.updatedFields ?? {};
  const changes = followed.changesOf(withAdded(fullDocument, updated));
  return changes.filter(({ field }) => field !== undefined && hasField(updated, field));
}

/** Whether an update set a field, alone or with the whole field that has it. */
function hasField(updated: Readonly<Record<string, unknown>>, path: string): boolean {
  if (Object.hasOwn(updated, path)) return true;
  const [parent = '', child] = path.split('.');
  if (child === undefined || !Object.hasOwn(updated, parent)) return false;
  return Object.hasOwn(updated[parent] as object, child);
}

/** The document as it is now, with what an update added to its fields: a later update may have removed it. */
function withAdded(document: object, updated: Readonly<Record<string, unknown>>): object {
  const whole: Record<string, unknown> = { ...document };
  for (const [path, value] of Object.entries(updated)) {
    const [parent = '', child, ...deeper] = path.split('.');
    const added = child === undefined ? value : { [child]: value };
    const field = whole[parent];
    if (deeper.length === 0 && isPlain(field) && isPlain(added)) whole[parent] = { ...added, ...field };
  }
  return whole;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
