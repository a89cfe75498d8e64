import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ActionError } from '../errors/action-error.ts';
import { type ErrorCode, errorCatalogue } from '../errors/catalogue.ts';
import { operations } from '../operations/all-operations.ts';
import { customCall } from '../operations/custom/operation-of.ts';
import { httpRoutes, routeTags, sharedSchemas } from './http-routes.ts';

const routes = httpRoutes(operations);

describe('the routes', () => {
  test('have unique addresses and names', () => {
    const addresses = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(routes.length);
    expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
  });

  test('are in groups that are described', () => {
    expect(Object.keys(routeTags)).toEqual(expect.arrayContaining(routes.map(({ tag }) => tag)));
  });

  test('declare the parameters of their paths', () => {
    for (const { path, parameters } of routes) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(parameters?.path?.shape ?? {})).toEqual(inPath);
    }
  });

  test('have an example of each answer', () => {
    const bare = routes.filter(({ answers }) =>
      answers.some(({ body, example }) => body instanceof z.ZodType && example === undefined),
    );
    expect(bare.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('name each error once, and together every code of the catalogue except those of addresses without a declaration', () => {
    for (const { errors } of routes) expect(new Set(errors).size).toBe(errors.length);
    const named = new Set([...routes.flatMap(({ errors }) => errors), ...customCall.errors]);
    const others = Object.keys(errorCatalogue).filter((code) => !named.has(code as ErrorCode));
    expect(others).toEqual(['method_not_allowed', 'origin_not_allowed']);
  });
});

test.each(Object.keys(errorCatalogue) as ErrorCode[])('the error %s has the shared schema', (code) => {
  const { error } = new ActionError(code).toEnvelope('req_1');
  expect(sharedSchemas.Error.parse(error)).toEqual(error);
});
