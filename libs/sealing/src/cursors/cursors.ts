import { createCipheriv, createDecipheriv, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { invalidRequest } from '@action-platform/contracts/errors';
import { keysFor, type SecretKeys } from '../secrets/secret-keys.ts';
import { type PageLimits, readPage } from './page.ts';

/** The length of a cursor's tag, which is also the initial counter block of AES in Counter Mode, in bytes. */
const TAG_BYTES = 16;

/** How a listing is read. */
interface ListingRead<Item> extends PageLimits<Item> {
  /** The items after a position, from the beginning without one. */
  readonly read: (after: string | undefined) => AsyncIterable<Item> | Iterable<Item>;
  readonly positionOf: (item: Item) => string;
}

/** A page of a listing. */
interface ListedPage<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; null after the last one. */
  readonly next: string | null;
}

interface SealingKey {
  readonly authenticating: KeyObject;
  readonly encrypting: KeyObject;
}

/**
 * Makes and reads the cursors of listings. A cursor is opaque, equal for equal positions, and bound to its listing: the position is
 * encrypted with the authentication tag of listing and position as its IV (the construction of SIV, RFC 5297). So callers can neither
 * forge a cursor nor read from it how much others store.
 */
export class Cursors {
  /** The newest key first; the former keys open what they sealed. */
  readonly #keys: readonly SealingKey[];

  /** @param keys the keys of the deployment that seal */
  constructor(keys: SecretKeys) {
    const authenticating = keysFor('authentication of cursors', keys).byId;
    const encrypting = keysFor('encryption of cursors', keys).byId;
    this.#keys = [...authenticating].map(([id, key]) => ({
      authenticating: key,
      encrypting: encrypting.get(id)!,
    }));
  }

  /**
   * The page of a listing at a caller's cursor, the first one without a cursor.
   *
   * @param listing the name of the listing with its Workspace and its filters
   * @throws ActionError `invalid_request` when the cursor is not one of this listing
   */
  async page<Item>(
    listing: string,
    cursor: string | undefined,
    { read, positionOf, ...limits }: ListingRead<Item>,
  ): Promise<ListedPage<Item>> {
    const { items, last, hasMore } = await readPage(read(this.positionIn(listing, cursor)), limits);
    const next = hasMore && last !== undefined ? this.at(listing, positionOf(last)) : null;
    return { items, next };
  }

  /** The cursor of a position in a listing. */
  at(listing: string, position: string): string {
    const key = this.#keys[0]!;
    const tag = tagOf(key, listing, position);
    const cipher = createCipheriv('aes-256-ctr', key.encrypting, tag);
    return Buffer.concat([tag, cipher.update(position, 'utf8'), cipher.final()]).toString('base64url');
  }

  /**
   * The position in a caller's cursor; undefined without one.
   *
   * @throws ActionError `invalid_request` when the cursor is not one of this listing
   */
  positionIn(listing: string, cursor: string | undefined): string | undefined {
    if (cursor === undefined) return undefined;
    const sealed = Buffer.from(cursor, 'base64url');
    // The decoder ignores invalid characters, so the comparison with the encoding refuses them.
    const isCursor = sealed.length >= TAG_BYTES && sealed.toString('base64url') === cursor;
    for (const key of isCursor ? this.#keys : []) {
      const tag = sealed.subarray(0, TAG_BYTES);
      const decipher = createDecipheriv('aes-256-ctr', key.encrypting, tag);
      const position =
        decipher.update(sealed.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      if (timingSafeEqual(tag, tagOf(key, listing, position))) return position;
    }
    throw invalidRequest('cursor: must be the next cursor of this same listing.');
  }
}

function tagOf({ authenticating }: SealingKey, listing: string, position: string): Buffer {
  const mac = createHmac('sha256', authenticating).update(JSON.stringify([listing, position]));
  return mac.digest().subarray(0, TAG_BYTES);
}
