/**
 * V8 lets its young generation grow to 48 MB by default, and by as much what it has to be moved out of it. Under a flood of connections a
 * gateway with that takes 2.3 times the memory of a quiet one; with 4 MB for each half, 1.4 times. No call is slower for it.
 */
const MEMORY = '--max-semi-space-size=4';

/**
 * What Node.js is to run to be a process of the platform, in its folder: the service, and before it what observes it, which must be
 * there when everything else is loaded.
 */
export function platformProcess(name: string): string[] {
  return [MEMORY, '--import', '@action-platform/telemetry/register', `services/${name}/src/main.ts`];
}
