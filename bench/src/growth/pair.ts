import type { Collection, Document } from 'mongodb';
import type { Api } from '../contenders/api.ts';
import type { Platform } from '../contenders/platform.ts';

/** One of the two platforms that are compared, with a Workspace whose quota no scenario reaches. */
export interface Side {
  readonly platform: Platform;
  /** Calls as the Owner of the Workspace. */
  readonly api: Api;
  /** The collection of this name in a service's database. */
  stored(service: string, collection: string): Collection<Document>;
}

/** A quota that no scenario reaches. */
export const ROOMY_QUOTA_BYTES = 1e12;

/** Prepares a platform: sets the cache of mongod, and creates a Workspace. */
export async function sideOf(platform: Platform, cacheGB: number): Promise<Side> {
  const { mongo } = platform;
  const cache = { wiredTigerEngineRuntimeConfig: `cache_size=${cacheGB * 1024}M` };
  await mongo.db('admin').command({ setParameter: 1, ...cache });
  const api = await platform.workspace();
  await platform.setQuota(api.workspace, ROOMY_QUOTA_BYTES);
  return { platform, api, stored: (service, name) => mongo.db(service).collection(name) };
}
