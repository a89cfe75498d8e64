import { isUtf8 } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { ActionError } from '@action-platform/contracts/errors';
import { FILE_TEXT_MAX_BYTES, getFile } from '@action-platform/contracts/operations';
import {
  type OperationContext,
  type ServedCall,
  serveOperation,
  TextStream,
} from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { groupFolder } from '../files/layout.ts';
import { mediaTypeOf } from '../files/media-type.ts';
import type { StoredFile } from '../files/stored-file.ts';
import { visibleGroups } from '../files/visible-groups.ts';
import { FileChanged, type FileSource, type FileState, SourceUnread } from '../sources/file-source.ts';

/** The longest time that a source has for a file, in milliseconds. */
const READ_WITHIN_MS = 5_000;
/** The reads of a file that changes meanwhile. */
const ATTEMPTS = 5;
/** The pause after the first attempt, in milliseconds; each further pause is twice as long. */
const PAUSE_MS = 50;
/** The bytes of a text in one write to the answer. */
const PART_BYTES = 16 * 1024;

/** A file in the source that has it. */
interface Found {
  readonly source: FileSource;
  readonly key: string;
  readonly state: FileState;
}

/**
 * `knowledge.get_file`: a file of the visible groups, from the first source that has it. Its content counts against the byte budget before
 * it is read, and leaves only when it is whole: of one state of the file.
 */
export function serveGetFile({ files, sources }: Dependencies): ServedCall {
  return serveOperation(getFile, async ({ key }, context) => {
    const groups = visibleGroups(context).map(({ group }) => group);
    const file = await files.find(key, groups, context);
    if (file === null) throw new ActionError('knowledge_file_not_found');
    const found = await inSources(file, sources, context);
    return new TextStream(jsonOf(file, found, context), Math.min(found.state.bytes, FILE_TEXT_MAX_BYTES));
  });
}

/** Finds a file in its sources. Throws ActionError: `action_platform_unavailable` when one of them may have it, and cannot be listed. */
async function inSources(
  { workspace_id, owner, path, sources: kinds }: StoredFile,
  sources: Dependencies['sources'],
  context: OperationContext,
): Promise<Found> {
  const key = `${groupFolder({ workspaceId: workspace_id, owner })}/${path}`;
  const having = sources.filter(({ kind }) => kinds.includes(kind));
  let unread: SourceUnread | undefined;
  for (const [index, { source }] of having.entries()) {
    const signal = timeOfSource(context, having.length - index);
    const state = await source.stat(key, signal).catch((error: unknown) => {
      if (!(error instanceof SourceUnread)) throw error;
      // The loop asks the next source, which may have the file too.
      unread = error;
      return undefined;
    });
    if (state !== undefined) return { source, key, state };
  }
  if (unread !== undefined) throw unread;
  if (having.some(({ isListingKept }) => isListingKept)) throw new ActionError('action_platform_unavailable');
  const message = kinds.includes('added')
    ? 'An operator added the path of this file, without content.'
    : undefined;
  throw new ActionError('knowledge_file_not_found', { message });
}

/** The time that a source has from now on: its share of the time left, when `sourcesLeft` sources divide that. */
function timeOfSource({ deadline }: OperationContext, sourcesLeft = 1): AbortSignal {
  const share = (deadline - performance.now()) / sourcesLeft;
  return AbortSignal.timeout(Math.max(0, Math.min(READ_WITHIN_MS, Math.floor(share))));
}

/** The result as JSON text. */
async function* jsonOf(
  { _id: key, path }: StoredFile,
  found: Found,
  context: OperationContext,
): AsyncGenerator<string> {
  // The answer may have waited for room in the byte budget.
  const { bytes, content } = await readAtRest(found, timeOfSource(context));
  const text = content !== undefined && isUtf8(content) ? content : undefined;
  const described = { key, path, media_type: mediaTypeOf(path, text !== undefined), bytes };
  const json = JSON.stringify({ file: described });
  if (text === undefined) return yield json;
  yield `${json.slice(0, -2)},"text":"`;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let at = 0; at < text.length; at += PART_BYTES) {
    const part = decoder.decode(text.subarray(at, at + PART_BYTES), { stream: true });
    yield JSON.stringify(part).slice(1, -1);
  }
  yield '"}}';
}

/** The content of a file, unless it is too large for a text; all of one state. Throws ActionError for a file that does not rest. */
async function readAtRest({ source, key, state: first }: Found, signal: AbortSignal) {
  for (let [attempt, state]: [number, FileState | undefined] = [1, first]; ; attempt++) {
    if (state === undefined) throw new ActionError('knowledge_file_not_found');
    const { bytes } = state;
    if (bytes > FILE_TEXT_MAX_BYTES) return { bytes };
    try {
      return { bytes, content: await source.read(key, state, signal) };
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error;
      const message = 'The file changes while it is read; nothing was done.';
      if (attempt === ATTEMPTS) throw new ActionError('action_platform_unavailable', { message });
    }
    await pause(PAUSE_MS * 2 ** (attempt - 1));
    state = await source.stat(key, signal);
  }
}
