import { invalidRequest } from '@action-platform/contracts/errors';
import { isCollectionName } from '@action-platform/contracts/operations';

/**
 * The Collections of a filter, by id.
 *
 * @param field the field that has them.
 * @param collections with ids in the place of the names that the Workspace has.
 * @throws ActionError `invalid_request` for another name.
 */
export function filteredCollections(field: string, collections: readonly string[]): string[] {
  const unknown = collections.find(isCollectionName);
  if (unknown === undefined) return [...collections];
  throw invalidRequest(`${field}: the Workspace has no Collection named ${JSON.stringify(unknown)}.`);
}
