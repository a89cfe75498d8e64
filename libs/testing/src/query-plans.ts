import type { Database } from '@action-platform/mongo';

/** A query of a service, as MongoDB's profiler recorded it. */
export interface ProfiledQuery {
  readonly collection: string;
  /** `query`, `update`, `remove`, `bulkWrite`, or the name of the command. */
  readonly op: string;
  /** The index that answered it, such as `IXSCAN { workspace_id: 1 }`. */
  readonly planSummary: string;
  /** Whether documents had to be sorted because no index has their order. */
  readonly hasSortStage: boolean;
  /** How many documents MongoDB examined. */
  readonly docsExamined: number;
  /** How many documents the query needed: returned with those that they are joined with by an id, matched by an update, or deleted. */
  readonly needed: number;
  readonly command: Readonly<Record<string, unknown>>;
}

/** The fields of an entry of MongoDB's `system.profile` that this module reads. */
interface ProfileEntry {
  ns: string;
  op: string;
  planSummary: string;
  command: Record<string, unknown>;
  hasSortStage?: boolean;
  docsExamined?: number;
  nreturned?: number;
  nMatched?: number;
  ndeleted?: number;
}

/**
 * Besides the profile itself, the commands of the change feed's tail, which come at any time, and read and write one document, by its id.
 */
const NOT_PROFILED = ['system.profile', '$cmd.aggregate', 'tail'];

/** The queries to a service's database, with their plans, while `work` runs. */
export async function profiled({ db }: Database, work: () => Promise<unknown>): Promise<ProfiledQuery[]> {
  // Drops earlier entries; MongoDB creates an empty profile again.
  await db.setProfilingLevel('off');
  await db.collection('system.profile').drop();
  await db.setProfilingLevel('all');
  await work();
  await db.setProfilingLevel('off');
  const entries = await db
    .collection<ProfileEntry>('system.profile')
    .find({
      ns: { $nin: NOT_PROFILED.map((name) => `${db.databaseName}.${name}`) },
      planSummary: { $exists: true },
    })
    .toArray();
  return entries.map(({ ns, op, planSummary, command, hasSortStage, docsExamined, ...counts }) => ({
    collection: ns.slice(db.databaseName.length + 1),
    op: op === 'command' ? Object.keys(command)[0]! : op,
    planSummary,
    hasSortStage: hasSortStage === true,
    docsExamined: docsExamined ?? 0,
    needed: (counts.nreturned ?? counts.nMatched ?? counts.ndeleted ?? 0) * documentsEach(command),
    command,
  }));
}

/** Of how many documents an answer's document consists: each `$lookup` joins one. */
function documentsEach({ pipeline }: Readonly<Record<string, unknown>>): number {
  return 1 + (Array.isArray(pipeline) ? pipeline : []).filter((stage) => '$lookup' in stage).length;
}

/** The queries without an index, with a sort in memory, or that examine more documents than they need. */
export function wasteful(queries: readonly ProfiledQuery[]): ProfiledQuery[] {
  return queries.filter(
    ({ planSummary, hasSortStage, docsExamined, needed }) =>
      planSummary.includes('COLLSCAN') || hasSortStage || docsExamined > Math.max(1, needed),
  );
}
