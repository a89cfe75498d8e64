import type { ProcessName } from '@action-platform/contracts/services';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll } from '@jest/globals';
import { commonConfig } from '../process/config.ts';
import type { ServiceDefinition } from '../process/service.ts';
import type { ServedCall } from '../serving/serve.ts';

/** A service that answers these calls. */
export function serviceOf(name: ProcessName, calls: readonly ServedCall[]): ServiceDefinition {
  const collections = async () => [];
  return { name, config: commonConfig, isPartial: true, start: async () => ({ calls, collections }) };
}

/** A platform with services, for the tests of a file. */
export function serving(
  services: ServiceDefinition | readonly ServiceDefinition[],
  environment: Readonly<Record<string, string>> = {},
): TestPlatform {
  const platform = new TestPlatform();
  beforeAll(() => platform.start(services, environment));
  afterAll(() => platform.stop());
  return platform;
}
