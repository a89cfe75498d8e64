import { pairsOf } from '../../forms/edits.js';

/** @typedef {import('@action-platform/contracts/operations').Connector} Connector */
/** @typedef {import('../../forms/edits.js').Values} Values */

/** The fields of a form that are members of `auth`, but for its type and secret, begin so: a refusal names them alike. */
const AUTH = 'auth.';

/** A connector as values of its form. @param {Connector} [known] @returns {Values} */
export function valuesOfConnector({ auth, headers = {}, idempotencyHeader } = /** @type {any} */ ({})) {
  const { type = 'bearer', ...parts } = auth ?? {};
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const ofAuth = Object.entries(parts).map(([name, value]) => [AUTH + name, value]);
  return { type, ...Object.fromEntries(ofAuth), idempotencyHeader, headers: lines.join('\n') };
}

/** The body that makes or changes a connector. @param {Values} values those of fields that are not shown are absent @param {Connector} [known] whose kind and address stay */
export function connectorOf({ kind, baseUrl, type, secret, idempotencyHeader, headers, ...parts }, known) {
  const ofAuth = Object.entries(parts).filter(
    ([name, value]) => name.startsWith(AUTH) && value !== undefined,
  );
  const pairs = pairsOf(headers);
  return {
    kind: known?.kind ?? kind,
    baseUrl: known?.baseUrl ?? baseUrl,
    auth: {
      type,
      ...Object.fromEntries(ofAuth.map(([name, value]) => [name.slice(AUTH.length), value])),
      ...(secret && { secret }),
    },
    ...(idempotencyHeader && { idempotencyHeader }),
    ...(Object.keys(pairs).length > 0 && { headers: pairs }),
  };
}
