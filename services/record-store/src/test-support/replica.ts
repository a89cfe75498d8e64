import { commonConfig, type Logger } from '@action-platform/service-host';
import type { TestPlatform } from '@action-platform/testing';
import type { Dependencies } from '../dependencies.ts';
import { buildDependencies } from '../service.ts';

/** What a replica works with, without its bus: for tests that take its steps one by one. */
export async function replicaOfItsOwn(platform: TestPlatform): Promise<Dependencies> {
  const log = { warn: () => {} } as unknown as Logger;
  return await buildDependencies(await platform.database('record-store'), commonConfig.parse({}), log);
}
