export { canonicalJsonAsync, mergePatchAsync, readJsonAsync } from './background/background.ts';
export { canonicalJson } from './canonical-json.ts';
export { hasStream, type JsonChunksOptions, jsonChunks } from './chunks.ts';
export {
  type JsonAmbiguity,
  JsonAmbiguityError,
  JsonBusyError,
  JsonDepthError,
  JsonSyntaxError,
  JsonTooManyValuesError,
} from './errors.ts';
export { ExactJson } from './exact-json.ts';
export { mergePatch } from './merge-patch.ts';
export { type ReadJsonOptions, readJson } from './read-json.ts';
export type { JsonKind } from './scanner/json-tree.ts';
export { MAX_DEPTH } from './scanner/scan-json.ts';
export { stringifyJson } from './stringify.ts';
