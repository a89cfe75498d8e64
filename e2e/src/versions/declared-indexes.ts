import { readFileSync } from 'node:fs';
import { services } from '@action-platform/contracts/services';
import type { StoredDocuments } from '@action-platform/mongo';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/**
 * The list of the indexes of this version, which `npm run docs` writes: a line of JSON for each. The lists of former versions stay, and
 * every service is tested on the indexes of each.
 */
export const generated = {
  file: new URL(`./indexes/${version}.ndjson`, import.meta.url),
  content: (await Promise.all(services.map(declaredIndexes)))
    .flat()
    .map((index) => `${JSON.stringify(index)}\n`)
    .join(''),
};

/** The indexes that a service declares. The service is loaded by its path: the end-to-end tests import no service. */
async function declaredIndexes(service: string) {
  const { href } = new URL(`../../../services/${service}/src/stored-documents.ts`, import.meta.url);
  const { storedDocuments } = (await import(href)) as { storedDocuments: readonly StoredDocuments[] };
  return storedDocuments.flatMap(({ collection, indexes = [] }) =>
    indexes.map(({ name, key, ...options }) => ({
      service,
      collection,
      name: name ?? Object.entries(key).flat().join('_'),
      key,
      ...options,
    })),
  );
}
