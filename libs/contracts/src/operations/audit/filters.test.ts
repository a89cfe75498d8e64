import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { errorCatalogue } from '../../errors/catalogue.ts';
import { DECLARED_CODE } from '../../errors/declared-refusal.ts';
import { auditFilters } from './filters.ts';

test('the filter of codes takes ok, each code of the catalogue, and each code that a company can declare', () => {
  const codes = ['ok', ...Object.keys(errorCatalogue)];
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom(...codes), fc.stringMatching(DECLARED_CODE, { maxLength: 64 })),
      (code) => expect(auditFilters.code.parse(code)).toBe(code),
    ),
  );
});
