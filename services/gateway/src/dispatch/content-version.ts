import { hash } from 'node:crypto';

/** A short hash of content: for validators (`ETag`), and for URLs of immutable content. */
export function versionOf(content: Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 16);
}
