import { hash } from 'node:crypto';

/** Tells content from any other, in a few characters: for validators (`ETag`), and for addresses of what is kept for good. */
export function versionOf(content: Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 16);
}
