/**
 * What Node.js is to run to be a process of the platform, in its folder: the service, and before it what observes it, which must be
 * there when everything else is loaded.
 */
export function platformProcess(name: string): string[] {
  return ['--import', '@action-platform/telemetry/register', `services/${name}/src/main.ts`];
}
