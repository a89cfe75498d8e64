import type { JsonSchema } from '@action-platform/contracts/schema';
import fc, { type Arbitrary } from 'fast-check';
import { accepted } from './schema-arbitrary.ts';

const strangeValues: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 1e300, '', 'x', [], {}, [[]], { $gt: '' }, { $where: '1' }),
  fc.constantFrom(201, '😀'.repeat(201), 'a'.repeat(1001), '\u0000', '../..', '2026-13-01T00:00:00Z'),
  fc.jsonValue({ maxDepth: 2 }),
);
const strangeNames = fc.constantFrom(
  ...['extra', '__proto__', 'constructor', '$where', 'toString', '', '\u0000', 'ID'],
);

/** Inputs that a schema accepts, and inputs that are one change away from one it accepts. */
export function nearlyAccepted(schema: JsonSchema): Arbitrary<unknown> {
  const valid = accepted(schema) as Arbitrary<Record<string, unknown>>;
  const own = Object.keys(schema.properties ?? {});
  const name = fc.constantFrom(...(own.length === 0 ? ['extra'] : own));
  const changed = (names: Arbitrary<string>) =>
    fc.tuple(valid, names, strangeValues).map(([input, key, value]) => withMember(input, key, value));
  const shortened = fc.tuple(valid, name).map(([{ ...rest }, key]) => {
    delete rest[key];
    return rest;
  });
  return fc.oneof(
    { weight: 4, arbitrary: valid },
    { weight: 4, arbitrary: changed(name) },
    { weight: 2, arbitrary: shortened },
    { weight: 2, arbitrary: changed(strangeNames) },
    { weight: 1, arbitrary: strangeValues },
  );
}

/** A copy with an own member, also when its name is `__proto__`. */
function withMember(input: object, name: string, value: unknown): object {
  const member = { value, enumerable: true, configurable: true, writable: true };
  return Object.defineProperty({ ...input }, name, member);
}
