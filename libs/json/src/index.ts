export {
  type CallOfText,
  mergePatchAsync,
  readJsonAsync,
  valuesAtAsync,
} from './background/background.ts';
export { canonicalNumber } from './canonical-number.ts';
export { hasStream, jsonChunks } from './chunks.ts';
export { compareNumbers, isWholeNumber } from './decimal.ts';
export {
  JsonAmbiguityError,
  JsonBusyError,
  JsonDepthError,
  JsonSyntaxError,
  JsonTooManyValuesError,
} from './errors.ts';
export { ExactJson } from './exact-json.ts';
export { fingerprintOf } from './fingerprint.ts';
export { readJsonAround } from './read-json-around.ts';
export { stringifyJson } from './stringify.ts';
export { withoutMembers } from './without-members.ts';
