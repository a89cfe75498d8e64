import { describe, expect, test } from '@jest/globals';
import { services } from '../calls/services.ts';
import { errorCatalogue, isErrorCode } from '../errors/catalogue.ts';
import { describeOperation } from './descriptor.ts';
import { errorsOf } from './errors-of.ts';
import { serviceOf } from './operation.ts';
import { operations } from './registry.ts';

const all = [...operations.values()];

describe('the registry of operations', () => {
  test('is sorted by id and names a service that exists for every operation', () => {
    const ids = [...operations.keys()];
    expect(ids).toEqual(ids.toSorted());
    for (const id of ids) expect(services).toContain(serviceOf(id));
  });

  test.each(all.map((operation) => [operation.id, operation] as const))(
    '%s has a well-formed descriptor',
    (_id, operation) => {
      const descriptor = describeOperation(operation);
      const optional = operation.deprecation === undefined ? [] : ['deprecation'];
      expect(Object.keys(descriptor).sort()).toEqual(
        [
          'id',
          'title',
          'description',
          'inputSchema',
          'outputSchema',
          'availability',
          'errors',
          ...optional,
        ].sort(),
      );
      expect(descriptor.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(descriptor.errors.length).toBe(new Set(descriptor.errors.map(({ code }) => code)).size);
      for (const template of descriptor.errors) {
        expect(Object.keys(template)).toEqual(['code', 'message', 'recoverable', 'next', 'docs_url']);
      }
    },
  );

  test.each(all.map((operation) => [operation.id, operation] as const))(
    '%s lists only codes of the catalogue',
    (_id, operation) => {
      for (const code of errorsOf(operation)) expect(isErrorCode(code)).toBe(true);
    },
  );
});

describe('the error catalogue', () => {
  test.each(Object.entries(errorCatalogue))('%s tells what happened, why, and what to do', (code, entry) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    for (const sentence of [entry.message, entry.next, entry.why]) expect(sentence).toMatch(/^[A-Z].*\.$/s);
  });
});
