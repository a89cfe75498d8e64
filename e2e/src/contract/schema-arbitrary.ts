import type { JsonSchema } from '@action-platform/contracts/schema';
import fc, { type Arbitrary } from 'fast-check';

/** How long generated texts get: as long as the schema asks, but not as long as it allows. */
const LONG = 300;

/** RFC 3339 has years of four digits. */
const dates = fc.date({
  noInvalidDate: true,
  min: new Date('0000-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
});

/** Values that a schema accepts, with the edge cases of each type over-represented. */
export function accepted(schema: JsonSchema): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return fc.oneof(...choices.map(accepted));
  switch (schema.type) {
    case 'object':
      return schema.properties === undefined ? anyObject() : objectOf(schema);
    case 'array':
      return fc.array(accepted(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, (schema.minItems ?? 0) + 5),
      });
    case 'string':
      return stringOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 1_000_000) });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(`the contract tests do not know the schema ${JSON.stringify(schema)}`);
  }
}

function objectOf({ properties = {}, required = [] }: JsonSchema): Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, accepted(schema)]),
  );
  return fc.record(members, { requiredKeys: [...required] });
}

function stringOf({ format, pattern, minLength = 0, maxLength = LONG }: JsonSchema): Arbitrary<string> {
  const fits = (value: string) => [...value].length >= minLength && [...value].length <= maxLength;
  if (format === 'email')
    return fc.emailAddress().filter((value) => new RegExp(String(pattern ?? '')).test(value));
  if (format === 'date-time') return dates.map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(String(pattern), 'u')).filter(fits);
  const longest = Math.min(maxLength, Math.max(minLength, LONG));
  const texts = fc.string({ unit: 'grapheme', minLength, maxLength: longest }).filter(fits);
  const edges = [minLength, maxLength]
    .filter((length) => length <= LONG)
    .map((length) => '😀'.repeat(length));
  return edges.length === 0 ? texts : fc.oneof({ weight: 4, arbitrary: texts }, fc.constantFrom(...edges));
}

/** Objects with every type of value, under names that programs mishandle. */
function anyObject(): Arbitrary<unknown> {
  const names = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('$where', '$set', 'a.b', 'constructor', 'toString', '', '\u0000', 'then'),
  );
  return fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }) as Arbitrary<unknown>;
}
