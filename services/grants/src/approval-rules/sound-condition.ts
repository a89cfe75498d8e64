import { collectionFields, isCollectionName, isCustomId } from '@action-platform/contracts/operations';
import type { ApprovalCondition } from '@action-platform/contracts/resources';
import { isObject, type JsonSchema } from '@action-platform/contracts/schema';
import { comparedScalar, stepsOf, valuesOf } from '@action-platform/service-host';

/** Up to eight steps, none of them empty (RFC 6901, section 3). */
const POINTER = /^(\/([^~/]|~[01])+){1,8}$/u;
const INDEX = /^(0|[1-9]\d*)$/;

const OF_NUMBERS = ['above', 'at_least', 'below', 'at_most'];
const OF_TEXTS = ['begins_with', 'ends_with', 'not_ends_with'];

/**
 * The fault of a condition; undefined for one that can hold and can fail.
 *
 * @param schemas the published input schema of each operation that its rule names.
 */
export function faultOf(
  { field, is, value }: ApprovalCondition,
  schemas: ReadonlyMap<string, JsonSchema>,
): string | undefined {
  if (!POINTER.test(field))
    return 'field must be a JSON Pointer of one to eight steps, such as /payload/amount';
  const isOfNumbers = OF_NUMBERS.includes(is);
  const isOfTexts = OF_TEXTS.includes(is);
  const isList = Array.isArray(value);
  if (!isOfTexts && isList !== (is === 'in' || is === 'not_in'))
    return `value must be ${isList ? 'one value' : 'a list'} for ${is}`;
  const values = valuesOf(value).map(comparedScalar);
  const kinds = new Set(values.map(({ kind }) => kind));
  if (isOfNumbers && !kinds.has('number')) return `value must be a number for ${is}`;
  if (isOfTexts && values.some(({ kind, text }) => kind !== 'string' || text === ''))
    return `value must be text for ${is}`;
  // Callers may send the name of a Collection, and a condition sees the id.
  const isOfCollections =
    collectionFields.includes(stepsOf(field)[0] as never) && ![...schemas.keys()].every(isCustomId);
  if (isOfCollections && !is.endsWith('ends_with') && values.some(({ text }) => isCollectionName(text)))
    return 'value must be an id of a Collection (col_…)';
  for (const [id, schema] of schemas) {
    const found = schemasAt(schema, stepsOf(field));
    if (found.length === 0) return `field is not in the input schema of ${id}`;
    const isPossible = (kind: string) =>
      found.some(({ type }) => type === undefined || kindOf(type) === kind);
    const other = [...kinds].find((kind) => !isPossible(kind));
    if (other !== undefined) return `value is of the type ${other}, and the field of ${id} is not`;
  }
  return undefined;
}

/** The schemas of the values that may stand at a place; a value without a type may be of any. */
function schemasAt(schema: JsonSchema, steps: readonly string[]): readonly JsonSchema[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return alternatives.flatMap((each) => schemasAt(each, steps));
  const [step, ...deeper] = steps;
  if (step === undefined) return [schema];
  if (schema.type === undefined) return [{}];
  if (schema.type === 'array')
    return step === '*' || INDEX.test(step) ? schemasAt(schema.items ?? {}, deeper) : [];
  if (schema.type !== 'object' || step === '*') return [];
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, step)) return schemasAt(properties[step]!, deeper);
  if (additionalProperties === false) return [];
  return schemasAt(isObject(additionalProperties) ? additionalProperties : {}, deeper);
}

function kindOf(type: string): string {
  return type === 'integer' ? 'number' : type;
}
