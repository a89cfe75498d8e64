import { busTarget } from './bus/bus-target.ts';
import type { FuzzedPlatform } from './environment/fuzzed-platform.ts';
import { httpTarget } from './http/http-target.ts';
import { jsonTarget } from './json/json-target.ts';
import type { TargetName } from './options.ts';
import type { Target } from './target.ts';

/** Opens a target; `platform` starts the fuzzed platform for the targets that need it. */
export async function openTarget(name: TargetName, platform: () => Promise<FuzzedPlatform>): Promise<Target> {
  switch (name) {
    case 'json':
      return jsonTarget as Target;
    case 'http':
      return httpTarget(await platform()) as Target;
    case 'bus':
      return (await busTarget(await platform())) as Target;
  }
}
