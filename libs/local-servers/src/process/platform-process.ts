/**
 * V8 lets its young generation grow to 48 MB by default, and moves out of it what is garbage soon after. A gateway under a flood of
 * connections with that takes 2.5 times the memory of a quiet one. The other processes are met by nobody but the gateway, and with
 * less they answer reads up to 9 % slower. Where services are deployed it is NODE_OPTIONS of the gateway.
 */
const GATEWAY_MEMORY = '--max-semi-space-size=4';

/**
 * What Node.js is to run to be a process of the platform, in its folder: the service, and before it what observes it, which must be
 * there when everything else is loaded.
 */
export function platformProcess(name: string): string[] {
  return [
    ...(name === 'gateway' ? [GATEWAY_MEMORY] : []),
    '--import',
    '@action-platform/telemetry/register',
    `services/${name}/src/main.ts`,
  ];
}
