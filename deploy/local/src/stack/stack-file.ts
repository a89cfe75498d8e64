import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { LocalDirectory } from '../local-directory.ts';

/** How the admin command reaches a running stack. */
export interface StackFile {
  readonly nats_url: string;
  readonly admin_seed: string;
}

/** Writes down how to reach the stack. */
export function writeStack(directory: LocalDirectory, stack: StackFile): void {
  writeJsonFile(directory.stackFile, stack);
}

/** How to reach the stack of a directory; an error says what to do when none was started there. */
export function readStack(directory: LocalDirectory): StackFile {
  const stack = readJsonFile<StackFile>(directory.stackFile);
  if (stack === undefined) {
    throw new Error(`No platform was started in ${directory.root}: run npm start first, or set LOCAL_DIR.`);
  }
  return stack;
}
