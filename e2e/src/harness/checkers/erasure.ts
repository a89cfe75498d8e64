/** The evidence of an erasure suite. */
export interface Erasure {
  /** The lines of the export, and the writes of the Records that were acknowledged before. */
  readonly exported: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
  readonly writes: ReadonlySet<string>;
  /** The stored documents that name the erased Workspace, and files of streams with content of it. */
  readonly left: readonly string[];
  /** The stored documents of another Workspace before and after. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** An export has every Record once, everything else that the Workspace has once, its own length, and no secret. */
export function* checkExport({ exported, writes }: Erasure): Generator<string> {
  const once = new Set<string>();
  for (const line of exported) {
    const text = JSON.stringify(line);
    if (once.has(text)) yield `the export has twice ${text}`;
    once.add(text);
    if (/whsec_|apo_|apr_/.test(text)) yield `the export has a secret in ${text}`;
  }
  const records = exported.flatMap(({ type, data }) =>
    type === 'record' ? [(data.payload as { write: string }).write] : [],
  );
  const missing = writes.difference(new Set(records));
  if (missing.size > 0) yield `the export misses ${missing.size} Records, such as ${[...missing][0]}`;
  if (records.length !== writes.size) yield `the export has ${records.length} Records of ${writes.size}`;
  for (const type of ['workspace', 'member', 'collection', 'usage', 'webhook_endpoint', 'end'])
    if (exported.filter((line) => line.type === type).length !== 1) yield `the export has not one ${type}`;
  if (!exported.some(({ type }) => type === 'audit_block')) yield 'the export has no audit_block';
  const lines = exported.at(-1)?.data.lines;
  if (lines !== exported.length - 1) yield `the export ends with ${lines} lines of ${exported.length - 1}`;
}

/** Nothing of an erased Workspace is left, and nothing of another has changed but its audit log, which goes on. */
export function* checkErased({ left, before, after }: Erasure): Generator<string> {
  for (const document of left) yield `left: ${document.slice(0, 300)}`;
  const [known, kept] = [new Set(before), new Set(after)];
  for (const document of known.difference(kept)) yield `changed or lost: ${document.slice(0, 300)}`;
  for (const document of kept.difference(known))
    if (!document.startsWith('audit.')) yield `changed or new: ${document.slice(0, 300)}`;
}
