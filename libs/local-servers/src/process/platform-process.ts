/**
 * How large V8 lets the halves of the young generation of a gateway become, in MB. A larger one takes more memory, and under a flood of
 * connections each time that it is emptied lasts longer: 12 ms by default, when the calls of others take 3 times as long as usual. With a
 * smaller one it is emptied so often that it takes up to a fifth of the gateway's time. Where services are deployed it is NODE_OPTIONS
 * of the gateway.
 */
const GATEWAY_MEMORY = '--max-semi-space-size=16';

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
