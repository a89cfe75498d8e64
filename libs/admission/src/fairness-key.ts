/** Whose share a call counts to: first its Workspace's, within that its caller's. */
export interface FairnessKey {
  /** The empty string for calls of which it is not known, or that are about none. */
  readonly workspace: string;
  /** A Member or a grant; no other in any Workspace is called the same. */
  readonly caller: string;
}

/** The party of calls that are made for nobody in particular, such as an operator's. */
const NOBODY: FairnessKey = { workspace: '', caller: '' };

/** A party as it travels with a call. */
export function writeFairnessKey({ workspace, caller }: FairnessKey): string {
  return JSON.stringify([workspace, caller]);
}

/** Reads what `writeFairnessKey` wrote; what it did not write is nobody's. */
export function readFairnessKey(text: string): FairnessKey {
  if (text === '') return NOBODY;
  try {
    const [workspace, caller] = JSON.parse(text);
    return { workspace: String(workspace), caller: String(caller) };
  } catch {
    return NOBODY;
  }
}
