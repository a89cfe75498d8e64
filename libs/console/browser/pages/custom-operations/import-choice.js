import { freeName } from './openapi.js';

/** An operation that the Workspace has, as it is listed or read. @typedef {import('@action-platform/contracts/operations').CustomOperation} Known */
/** An operation that can be registered, beside what the Workspace has of the same request. @typedef {import('./openapi.js').Imported & { former?: Known | undefined, isChanged?: boolean }} Row */
/** What somebody chose for a row. @typedef {{ isTicked: boolean, effect: string, destructive: boolean, repeats: string }} Choice */

/** @param {any} one @param {any} other */
const isSame = (one, other) =>
  one?.connector === other.connector &&
  (other.tool === undefined
    ? one.method === other.method && one.path === other.path
    : one.tool === other.tool);

/** Rows with the id of the operation of the Workspace that sends the same request, and else with a free id. A row is changed when its operation was made of another version of the tool. @param {readonly import('./openapi.js').Imported[]} imported @param {readonly Known[]} known @returns {Row[]} */
export function besideKnown(imported, known) {
  const taken = new Set(known.map(({ id }) => id.replace('custom.', '')));
  return imported.map((row) => {
    const target = row.definition?.target;
    const former = target && known.find((each) => isSame(each.target, target));
    if (former === undefined)
      return { ...row, id: `custom.${freeName(row.id.replace('custom.', ''), taken)}` };
    const isChanged = /** @type {any} */ (former.target).digest !== target.digest;
    return { ...row, id: former.id, former, isChanged };
  });
}

/** The default effect of a repeated write. @param {Row} row @param {boolean} takesKey whether its connector takes idempotency keys */
const usualRepeats = ({ definition: { target } }, takesKey) =>
  target.repeats ?? (takesKey ? 'key' : ['put', 'delete'].includes(target.method) ? 'safe' : 'never');

/** The first choice of a row: the values of its operation, if the Workspace has the operation. @param {Row} row @param {boolean} takesKey @returns {Choice} */
export function firstChoice(row, takesKey) {
  const { effect, destructive } = row.former ?? row.definition;
  const target = /** @type {any} */ (row.former?.target);
  return { isTicked: false, effect, destructive, repeats: target?.repeats ?? usualRepeats(row, takesKey) };
}

/** The body that registers a row as chosen: values that never change stay. @param {Row} row @param {Choice} choice @param {string} availability of a new one */
export function chosenDefinition({ definition, former }, { effect, destructive, repeats }, availability) {
  const isWrite = effect === 'write';
  return {
    ...definition,
    effect,
    destructive: isWrite && destructive,
    availability: former?.availability ?? availability,
    target: { ...definition.target, ...(isWrite && { repeats }) },
    ...(former && { timeoutMs: former.timeoutMs, expectedRevision: former.revision }),
    ...(former === undefined && { expectedRevision: 0 }),
  };
}

/** A value with its names in order, so that equal values have equal texts. @param {any} value @returns {any} */
export function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, ordered(value[name])]));
}
