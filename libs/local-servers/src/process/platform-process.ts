/**
 * The largest size of a semi-space of V8's young generation, in MB. The larger default takes memory, exceeds the processor's caches, and
 * makes a scavenge last 12 ms in a gateway with very many new connections. With a much smaller one, scavenges take up to a fifth of a
 * gateway's time. The image has the same value in its `ENTRYPOINT`.
 */
const YOUNG_GENERATION = '--max-semi-space-size=16';

/**
 * How far V8's old generation grows, in MB, before V8 collects garbage in all of it. By default V8 does so when the heap and its buffers have grown
 * by a tenth: every few seconds in a process that reads large bodies, for some 30 ms of its time. The image has the same value.
 */
const OLD_GENERATION = '--initial-old-space-size=128';

/**
 * The variables with which Node.js runs a process of the platform; the image has the same. glibc gives each thread an arena of its own,
 * and keeps the freed memory of each.
 */
export const platformVariables = { MALLOC_ARENA_MAX: '1' } as const;

/**
 * The arguments with which Node.js runs a process of the platform, in its folder: the service, and telemetry, which must be loaded
 * before everything else.
 */
export function platformProcess(name: string): string[] {
  return [
    YOUNG_GENERATION,
    OLD_GENERATION,
    '--import',
    '@action-platform/telemetry/register',
    `services/${name}/src/main.ts`,
  ];
}
