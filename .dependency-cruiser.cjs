/**
 * The layers of the code base, from CONTRIBUTING.md; a change that breaks one fails `npm run check -- layers`. That the folders
 * of a package do not import each other in circles is for `npm run check -- arrows`.
 */
const packageRoot = '^((?:(?:libs|services|deploy)/[^/]+)|e2e)/';

/** What a layer never imports: libraries, for one, know nothing of the services and deployments built on them. */
const layers = [
  ['libs-below-services', '^libs/', '^(services|deploy|e2e)/'],
  ['services-below-deploy', '^services/', '^(deploy|e2e)/'],
  ['deploy-below-e2e', '^deploy/', '^e2e/'],
  ['deploy-starts-services-as-processes', '^(deploy|e2e)/', '^services/'],
].map(([name, from, to]) => ({ name, severity: 'error', from: { path: from }, to: { path: to } }));

const room = '^libs/contracts/src/[^/]+/index\\.ts$';

/**
 * The rooms of libs/contracts that a package may open, tests aside; a package without a line opens any. What services stand on knows no
 * operation and no caller, and the console names what Members see.
 */
const rooms = [
  ['libs/bus', 'bus|calls|configuration|errors|limits|services'],
  ['libs/change-events', 'bus|calls|change-events|errors|services'],
  ['libs/console', 'audit|operations|resources'],
  ['libs/deployment', 'services'],
  ['libs/mongo', 'calls|configuration|errors|limits'],
  ['libs/outbound-http', 'configuration|errors'],
  ['libs/sealing', 'calls|configuration|errors'],
  ['libs/telemetry', 'bus|configuration'],
  ['services/(?!gateway|custom-operations)[^/]+', '(?!routes)[^/]+'],
  ['deploy/[^/]+', '(?!audit|authority|operations|resources)[^/]+'],
].map(([from, opened]) => ({
  name: 'rooms-of-contracts',
  severity: 'error',
  from: { path: `^${from}/`, pathNot: '\\.(test|check|suite)\\.ts$|/test(-support)?/' },
  to: { path: room, pathNot: `^libs/contracts/src/(${opened})/index\\.ts$` },
}));

module.exports = {
  forbidden: [
    {
      name: 'services-stand-alone',
      comment: 'A service is deployed on its own: it talks to another one over the bus, never by import.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    ...layers,
    ...rooms,
    {
      name: 'rooms-are-for-others',
      comment: 'A file of libs/contracts imports the file that declares a name, not a room.',
      severity: 'error',
      from: { path: '^libs/contracts/' },
      to: { path: room },
    },
    {
      name: 'entry-points-only',
      comment:
        'Another package is used through its entry point (src/index, or what its package.json exports).',
      severity: 'error',
      from: { path: packageRoot },
      to: {
        path: packageRoot,
        pathNot: [
          '^$1/',
          '/src/index\\.(ts|mjs)$',
          room,
          '^libs/telemetry/src/register\\.ts$',
          '^libs/testing/src/(agents|arbitraries|browser|dovecot|http|s3)\\.ts$',
          '^libs/bus/src/test-support/raw-connection\\.ts$',
          '^deploy/local/src/processes\\.ts$',
        ],
      },
    },
    {
      name: 'image-is-whole',
      comment: 'A program of the image imports nothing that .dockerignore excludes.',
      severity: 'error',
      from: { path: '^(services/[^/]+|deploy/admin)/src/main\\.ts$|^deploy/demo/src/' },
      to: {
        path: '^libs/(local-servers|testing|toolchain)/|^deploy/(container|kubernetes)/|^e2e/|/test(-support)?/',
        reachable: true,
      },
    },
    {
      name: 'only-the-bus-knows-nats',
      severity: 'error',
      from: { path: packageRoot, pathNot: '^libs/bus/' },
      to: { path: 'node_modules/@nats-io/transport-node' },
    },
    {
      name: 'console-runs-in-a-browser',
      comment:
        'The browser gets the files of the console as they are; of the platform they may name types alone.',
      severity: 'error',
      from: { path: '^libs/console/browser/' },
      to: { pathNot: '^libs/console/browser/|node_modules/(lit|oauth4webapi)/' },
    },
    {
      name: 'contracts-are-pure',
      comment: 'Declarations only: no transport, no database, no service code.',
      severity: 'error',
      from: { path: '^libs/contracts/' },
      to: { path: '^libs/', pathNot: '^libs/(contracts|json)/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: '\\.test\\.ts$' },
      to: { path: '\\.test\\.ts$' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules/(?!@nats-io)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      // Some packages consist of types alone.
      mainFields: ['main', 'types'],
    },
  },
};
