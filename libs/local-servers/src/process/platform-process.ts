/**
 * How large V8 lets the halves of the young generation of a process become, in MB. By default they become larger, which takes memory, and time:
 * what is in flight is spread over more of it than the processor's caches hold, and to empty it lasts 12 ms in a gateway under a flood of
 * connections. Much smaller ones are emptied so often that it takes up to a fifth of a gateway's time. The image has it in its `ENTRYPOINT`.
 */
const YOUNG_GENERATION = '--max-semi-space-size=16';

/**
 * What Node.js is to run to be a process of the platform, in its folder: the service, and before it what observes it, which must be
 * there when everything else is loaded.
 */
export function platformProcess(name: string): string[] {
  return [
    YOUNG_GENERATION,
    '--import',
    '@action-platform/telemetry/register',
    `services/${name}/src/main.ts`,
  ];
}
