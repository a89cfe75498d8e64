import { readSecretKeys } from '@action-platform/sealing';
import { commonConfig, type Logger } from '@action-platform/service-host';
import { SEAL_KEYS, type TestPlatform } from '@action-platform/testing';
import type { Dependencies } from '../dependencies.ts';
import { buildDependencies } from '../service.ts';

/** The signal of background work that nothing stops. */
export const unstopped = new AbortController().signal;

/** The dependencies of a replica without its bus, for tests that run its steps one by one. */
export async function replicaOfItsOwn(platform: TestPlatform): Promise<Dependencies> {
  const log = { warn: () => {}, error: () => {} } as unknown as Logger;
  const keys = readSecretKeys('SEAL_KEYS', SEAL_KEYS);
  return await buildDependencies(await platform.database('record-store'), commonConfig.parse({}), keys, log);
}
