import { ActionError } from '@action-platform/contracts';

/**
 * An opaque cursor for a position in a listing. `listing` names the listing and what it was filtered by, so
 * that a cursor of another one is refused.
 */
export function encodeCursor(listing: string, position: string): string {
  return Buffer.from(JSON.stringify([listing, position])).toString('base64url');
}

/** The position in a cursor; ActionError `invalid_request` when it is not one of this listing. */
export function decodeCursor(listing: string, cursor: string): string {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const [from, position] = Array.isArray(value) ? value : [];
    // The comparison with the encoding refuses what the lenient decoder let pass.
    if (from === listing && typeof position === 'string' && encodeCursor(listing, position) === cursor) {
      return position;
    }
  } catch {
    // Not JSON: not one of ours.
  }
  throw new ActionError('invalid_request', {
    message: 'cursor: must be a next_cursor of this same listing.',
  });
}
