import { hash } from 'node:crypto';

/** What is the same name on every file system, whether or not it tells upper from lower case. */
const PLAIN = /^[a-z0-9_@+-][a-z0-9_.@+-]{0,99}$/;
/** What Windows takes for a device, whatever follows the first dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;

/**
 * A name for a file or folder that every file system accepts and nothing can climb out with. Different texts get
 * different names: a text that is not plain gets the hash of it, which a plain one cannot look like.
 */
export function fileName(text: string): string {
  const isPlain = PLAIN.test(text) && !text.endsWith('.') && !DEVICE.test(text);
  return isPlain ? text : `~${hash('sha256', text, 'hex')}`;
}
