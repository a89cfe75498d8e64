import { readFileSync } from 'node:fs';
import type { ServiceName } from '@action-platform/contracts/services';
import type { Database, StoredDocuments } from '@action-platform/mongo';
import type { ProfiledQuery } from './query-plans.ts';

/**
 * The reasons that would keep a service's collections from being sharded as they are declared: undeclared collections, unique indexes that do not
 * begin with the shard key, because MongoDB enforces them within a shard alone, and queries without it, because every shard runs them. And the
 * declarations that docs/scaling.md does not have.
 */
export async function shardingProblems(
  service: ServiceName,
  { db }: Database,
  declared: readonly StoredDocuments[],
  queries: readonly ProfiledQuery[],
): Promise<string[]> {
  const keys = new Map(declared.map(({ collection, shardKey }) => [collection, shardKey]));
  const problems = undocumentedShardKeys(service, declared).map((row) => `docs/scaling.md has no row ${row}`);
  for (const { collectionName: name } of await db.collections()) {
    if (name.startsWith('system.')) continue;
    const key = keys.get(name);
    if (key === undefined) problems.push(`${name} is not declared`);
    if (typeof key !== 'string') continue;
    const indexes = await db.collection(name).indexes();
    const wrong = indexes.filter((index) => index.unique && Object.keys(index.key)[0] !== key);
    problems.push(
      ...wrong.map((index) => `${name}: the unique index ${index.name} does not begin with ${key}`),
    );
  }
  for (const { collection, op, command } of queries) {
    const key = keys.get(collection);
    if (typeof key !== 'string' || op === 'getmore') continue;
    const fields = fieldsOf(command);
    if (!fields.includes(key))
      problems.push(`${collection}: ${op} by ${fields.join(', ')} is without ${key}`);
  }
  return [...new Set(problems)];
}

/** The fields in the filter of a command of the profile. */
function fieldsOf(command: ProfiledQuery['command']): string[] {
  const [first] = (command.pipeline ?? []) as { readonly $match?: object }[];
  const filter = command.filter ?? command.query ?? command.q ?? first?.$match ?? {};
  return Object.entries(filter as object).flatMap(([field, value]) =>
    field === '$and' ? (value as object[]).flatMap((part) => Object.keys(part)) : field,
  );
}

/** The rows of a service's collections that the table in docs/scaling.md does not have. */
function undocumentedShardKeys(service: ServiceName, declared: readonly StoredDocuments[]): string[] {
  const documented = readFileSync('docs/scaling.md', 'utf8').split('\n');
  const rows = declared.map(({ collection, shardKey }) => {
    const key = typeof shardKey === 'string' ? `\`${shardKey}\`` : `not sharded: ${shardKey.unsharded}`;
    return `| ${service} | \`${collection}\` | ${key} |`;
  });
  return rows.filter((row) => !documented.includes(row));
}
