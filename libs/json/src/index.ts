export { canonicalJsonAsync, mergePatchAsync, readJsonAsync } from './background/background.ts';
export { hasStream, jsonChunks } from './chunks.ts';
export {
  JsonAmbiguityError,
  JsonBusyError,
  JsonDepthError,
  JsonSyntaxError,
  JsonTooManyValuesError,
} from './errors.ts';
export { ExactJson } from './exact-json.ts';
export { readJson } from './read-json.ts';
export { readJsonAround } from './read-json-around.ts';
export { MAX_DEPTH } from './scanner/scan-json.ts';
export { stringifyJson } from './stringify.ts';
