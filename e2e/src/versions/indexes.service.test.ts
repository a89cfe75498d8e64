import { readdirSync, readFileSync } from 'node:fs';
import { type ServiceName, services } from '@action-platform/contracts/services';
import { TestPlatform } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import type { Db, IndexDescription } from 'mongodb';
import { generated } from './declared-indexes.ts';

/** An index of a version, from a line of its list. */
interface ListedIndex extends IndexDescription {
  readonly service: ServiceName;
  readonly collection: string;
}

const lists = new URL('./indexes/', import.meta.url);
const versions = readdirSync(lists).map((file) => file.replace(/\.ndjson$/, ''));
const parsed = (list: string) =>
  list
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ListedIndex);
const declared = parsed(generated.content);

/** The definition of an index, without its name. */
const described = ({ service, collection, key, unique, sparse, ...more }: ListedIndex) =>
  JSON.stringify([
    ...[service, collection, key, unique ?? false, sparse ?? false],
    ...[more.partialFilterExpression, more.expireAfterSeconds],
  ]);

test('docs/upgrades.md names the versions of the lists', () => {
  const page = readFileSync('docs/upgrades.md', 'utf8');
  const [, commits] = /commits of the main branch \(([^)]+)\)/.exec(page)!;
  const releases = [...page.matchAll(/^### (\S+)$/gm)].map(([, release]) => release!);
  expect(versions.toSorted()).toEqual([...releases, ...commits!.split(', ')].toSorted());
});

test.each(versions)(
  'every service starts on the indexes of %s, with its own beside them, and no unique one of the former',
  async (version) => {
    const platform = new TestPlatform();
    try {
      const databases = new Map<ServiceName, Db>();
      for (const service of services) databases.set(service, (await platform.database(service)).db);
      const list = readFileSync(new URL(`${version}.ndjson`, lists), 'utf8');
      // A command for each index keeps MongoDB busy for longer than a service waits for its first connection.
      const ofCollections = Map.groupBy(
        parsed(list),
        ({ service, collection }) => `${service} ${collection}`,
      );
      for (const listed of ofCollections.values()) {
        const [{ service, collection }] = listed as [ListedIndex];
        const indexes = listed.map(({ service: _service, collection: _collection, ...index }) => index);
        await databases.get(service)!.collection(collection).createIndexes(indexes);
      }
      await platform.startBeside(...services);
      const existing: ListedIndex[] = [];
      for (const [service, db] of databases) {
        for (const { collectionName: collection } of await db.collections())
          for (const index of await db.collection(collection).indexes())
            existing.push({ service, collection, ...(index as IndexDescription) });
      }
      expect(existing.map(described)).toEqual(expect.arrayContaining(declared.map(described)));
      const unique = existing.filter((index) => index.unique).map(described);
      expect(unique.toSorted()).toEqual(
        declared
          .filter((index) => index.unique)
          .map(described)
          .toSorted(),
      );
    } finally {
      await platform.stop();
    }
  },
);
