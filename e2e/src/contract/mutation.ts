import fc, { type Arbitrary } from 'fast-check';
import { accepted, type JsonSchema } from './schema-arbitrary.ts';

const strangeValues: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 1e300, '', 'x', [], {}, [[]], { $gt: '' }, { $where: '1' }),
  fc.constantFrom(201, '😀'.repeat(201), 'a'.repeat(1001), '\u0000', '../..', '2026-13-01T00:00:00Z'),
  fc.jsonValue({ maxDepth: 2 }),
);
const strangeNames = fc.constantFrom(
  'extra',
  '__proto__',
  'constructor',
  '$where',
  'toString',
  '',
  '\u0000',
  'ID',
);

/** Inputs that a schema accepts, and inputs that are one change away from one it accepts. */
export function nearlyAccepted(schema: JsonSchema): Arbitrary<unknown> {
  const valid = accepted(schema) as Arbitrary<Record<string, unknown>>;
  const names = Object.keys(schema.properties ?? {});
  const name = names.length === 0 ? fc.constant('extra') : fc.constantFrom(...names);
  return fc.oneof(
    { weight: 4, arbitrary: valid },
    {
      weight: 4,
      arbitrary: fc
        .tuple(valid, name, strangeValues)
        .map(([input, key, value]) => withMember(input, key, value)),
    },
    { weight: 2, arbitrary: fc.tuple(valid, name).map(([input, key]) => withoutMember(input, key)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(valid, strangeNames, strangeValues)
        .map(([input, key, value]) => withMember(input, key, value)),
    },
    { weight: 1, arbitrary: strangeValues },
  );
}

/** A copy with an own member, also when its name is `__proto__`. */
function withMember(input: object, name: string, value: unknown): object {
  return Object.defineProperty({ ...input }, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function withoutMember(input: Record<string, unknown>, name: string): object {
  const { [name]: _left, ...rest } = input;
  return rest;
}
