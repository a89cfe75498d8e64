import { pairsOf } from './edits.js';

/** @typedef {import('@action-platform/contracts/operations').Connector} Connector */
/** @typedef {import('./edits.js').Values} Values */

/** The members of each form of `auth` that are no secret, by the fields of the form. */
const PARTS = {
  'auth.name': 'name',
  login: 'login',
  tokenUrl: 'tokenUrl',
  clientId: 'clientId',
  scope: 'scope',
};

/** A connector as values of its form. @param {Connector} [known] @returns {Values} */
export function valuesOfConnector({ auth, headers = {}, idempotencyHeader } = /** @type {any} */ ({})) {
  const { type = 'bearer', ...parts } = auth ?? {};
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const ofAuth = Object.entries(PARTS).map(([name, part]) => [name, parts[part]]);
  return { type, ...Object.fromEntries(ofAuth), idempotencyHeader, headers: lines.join('\n') };
}

/** The body that makes or changes a connector. @param {Values} values those of fields that are not shown are absent @param {Connector} [known] whose kind and address stay */
export function connectorOf({ kind, baseUrl, type, secret, idempotencyHeader, headers, ...parts }, known) {
  const ofAuth = Object.entries(PARTS).map(([name, part]) => [part, parts[name]]);
  const pairs = pairsOf(headers);
  return {
    kind: known?.kind ?? kind,
    baseUrl: known?.baseUrl ?? baseUrl,
    auth: {
      type,
      ...Object.fromEntries(ofAuth.filter(([, value]) => value !== undefined)),
      ...(secret && { secret }),
    },
    ...(idempotencyHeader && { idempotencyHeader }),
    ...(Object.keys(pairs).length > 0 && { headers: pairs }),
  };
}
