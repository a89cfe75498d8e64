/** The share that a call counts against: its Workspace's, and within that its caller's. */
export interface FairnessKey {
  /** The empty string for calls without a Workspace, or before it is known. */
  readonly workspace: string;
  /** A Member or a grant, unique over all Workspaces. */
  readonly caller: string;
}

/** The key of calls without a caller, such as an operator's. */
const NO_CALLER: FairnessKey = { workspace: '', caller: '' };

/** In place of a Workspace: that of all grants whose Workspace is not known yet, forged secrets included. */
export const NEWCOMERS = '?';

/** The Workspace of a fairness key; undefined where it is not known. */
export function workspaceIn({ workspace }: FairnessKey): string | undefined {
  return workspace === NO_CALLER.workspace || workspace === NEWCOMERS ? undefined : workspace;
}

/** Serializes a fairness key for a bus header. */
export function writeFairnessKey({ workspace, caller }: FairnessKey): string {
  return JSON.stringify([workspace, caller]);
}

/** Parses the text of `writeFairnessKey`; any other text gives the key of calls without a caller. */
export function readFairnessKey(text: string): FairnessKey {
  if (text === '') return NO_CALLER;
  try {
    const [workspace, caller] = JSON.parse(text);
    return { workspace: String(workspace), caller: String(caller) };
  } catch {
    return NO_CALLER;
  }
}
