import { hostname } from 'node:os';
import { expect, test } from '@jest/globals';
import { resourceOf } from './resource.ts';

test('the resource is whole before telemetry starts, so that no export warns of missing attributes', async () => {
  const resource = await resourceOf('/platform/services/grants/src/main.ts');
  expect(resource.asyncAttributesPending).toBe(false);
  expect(resource.attributes).toMatchObject({ 'service.name': 'grants', 'host.name': hostname() });
});
