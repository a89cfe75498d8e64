import { registerHooks } from 'node:module';

/**
 * Makes a process behave as its next version could, when `node --import` loads it first. The module adds a field to the input and the
 * answer of every call between services and to the JSON in their headers, and adds a header. The module edits the source of the few places
 * that write them, and throws when one of them has another text, so that a process of this version never passes for one of the next.
 */
const MORE = 'a_field_of_the_next_version: { of: ["any", "kind"] }';

/** @type {ReadonlyArray<[file: string, written: string, inTheNextVersion: string]>} */
const changes = [
  ['libs/bus/src/calls/call-service.ts', 'JSON.stringify(input)', `JSON.stringify({ ...input, ${MORE} })`],
  [
    'libs/service-host/src/serving/answer.ts',
    'stringifyJson(result)',
    `stringifyJson(isInternal(result) ? { ...(result as object), ${MORE} } : result)`,
  ],
  [
    'services/gateway/src/dispatch/authority.ts',
    'JSON.stringify({ workspaceId, userId, ',
    `JSON.stringify({ workspaceId, userId, ${MORE}, `,
  ],
  [
    'services/gateway/src/dispatch/authority.ts',
    'JSON.stringify({ credential, operation, invocationId, isUncounted })',
    `JSON.stringify({ credential: { ...credential, ${MORE} }, operation, invocationId, isUncounted, ${MORE} })`,
  ],
  [
    'libs/contracts/src/bus/headers.ts',
    "requestId: 'x-request-id',",
    "requestId: 'x-request-id',\n  ofTheNextVersion: 'x-of-the-next-version',",
  ],
];

/** Keeps the added fields from clients of the gateway, whose answers have exactly the fields of the contract. */
const IS_INTERNAL = `
function isInternal(result: unknown): boolean {
  return !['result', 'grant', 'grants'].some((name) => Object.hasOwn(result as object, name));
}
`;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const changed = changes.filter(([file]) => url.endsWith(`/${file}`));
    if (changed.length === 0) return loaded;
    let source = String(loaded.source);
    for (const [file, written, next] of changed) {
      if (!source.includes(written)) throw new Error(`${file} does not write ${written} any more`);
      source = source.replace(written, next) + (next.includes('isInternal') ? IS_INTERNAL : '');
    }
    return { ...loaded, source };
  },
});
