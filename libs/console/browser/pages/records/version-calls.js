/** @typedef {{ created_at: string, created_by: string }} Version */

/** The operations that make versions. */
const WRITES = /^record_store\.(push_records?|replace_record|patch_record)$/;
/** How far the times of a version and of its call are apart at most, in milliseconds. */
const APART = 5000;

/**
 * The call that made a version of a Record, by Member and time, because an entry of the audit log names no version. Undefined when the log
 * has other calls of the Member within those seconds.
 * @template {Version} V @param {V} version @param {readonly V[]} versions of the Record, newest first
 * @param {readonly import('@action-platform/contracts/audit').AuditEntry[]} entries about the Record, newest first
 */
export function callOf(version, versions, entries) {
  const { created_at, created_by } = version;
  const isNear = (/** @type {string} */ time) => Math.abs(Date.parse(time) - Date.parse(created_at)) < APART;
  const near = versions.filter((each) => each.created_by === created_by && isNear(each.created_at));
  const calls = entries.filter(
    ({ at, user_id, operation, outcome, replayed }) =>
      user_id === created_by && WRITES.test(operation) && outcome === 'done' && !replayed && isNear(at),
  );
  return near.length === calls.length ? calls[near.indexOf(version)] : undefined;
}
