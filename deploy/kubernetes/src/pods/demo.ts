import type { KubernetesObject } from '../objects.ts';
import { PLATFORM_IMAGE } from './images.ts';
import type { Podman } from './podman.ts';
import { NETWORK, type PlacedPod } from './pods.ts';

const FOLDER = '/var/lib/action-platform/demo';
const issuer = { host: 'issuer', address: '10.89.0.5' };

/** Who signs session tokens, in place of a company's own sign-in. */
export const DEMO = {
  issuer,
  /** An object of the overlay, with this issuer in it: what everybody changes in their own overlay. */
  signsIn: (object: KubernetesObject): KubernetesObject =>
    object.kind === 'ConfigMap' && object.metadata.name!.startsWith('sign-in-')
      ? {
          ...object,
          data: {
            SESSION_ISSUER: 'urn:action-platform:local-issuer',
            SESSION_AUDIENCE: 'action-platform',
            SESSION_JWKS_URL: `https://${issuer.host}:8443/jwks.json`,
            NODE_EXTRA_CA_CERTS: '/run/platform/tls/ca.pem',
          },
        }
      : object,
};

/** A container of the demo, whose files are in a volume of its own. */
async function run(podman: Podman, options: readonly string[], script: string): Promise<void> {
  const shared = ['--volume', '/shared/deployment:/run/platform:ro', '--volume', `demo:${FOLDER}`];
  // The files of the deployment are the operator's alone.
  const asOperator = ['--user', '0', '--env', `LOCAL_DIR=${FOLDER}`, '--network'];
  await podman.run('run', '--quiet', ...shared, ...asOperator, ...options, PLATFORM_IMAGE, script);
}

/** Starts the issuer of session tokens at the address where the gateway looks for it. */
export async function startIssuer(podman: Podman): Promise<void> {
  const certificate = ['--env', `ISSUER_CERTIFICATE_FILE=/run/platform/tls/${issuer.host}.pem`];
  const address = [`${NETWORK.name}:ip=${issuer.address}`];
  await run(podman, [...address, '--detach', ...certificate], 'deploy/demo/src/issuer.ts');
}

/**
 * Makes the demo Workspace, and has its Owner call each service by way of the gateway.
 *
 * @throws when one does not answer with 200
 */
export async function requireAnswers(podman: Podman, pods: readonly PlacedPod[]): Promise<void> {
  const addressOf = (wanted: string) => pods.find(({ name }) => name === wanted)!.address;
  const environment = [
    'NATS_URL=nats://nats:4222',
    'NATS_CA_FILE=/run/platform/tls/ca.pem',
    'NATS_NKEY_SEED_FILE=/run/platform/bus/admin.seed',
  ].flatMap((variable) => ['--env', variable]);
  const options = [NETWORK.name, '--add-host', `nats:${addressOf('nats-0')}`, ...environment];
  await run(podman, options, 'deploy/demo/src/workspace.ts');
  const volume = (await podman.run('volume', 'inspect', '--format', '{{.Mountpoint}}', 'demo')).trim();
  const { owner } = JSON.parse(await podman.inside('cat', `${volume}/demo.json`));
  const calls = [
    ['record_store.create_collection', { name: 'pods' }],
    ['mail.list_authorized_senders', {}],
    ['procedures.create_draft', { slug: 'pods', title: 'Pods', description: '', markdown: '# Pods' }],
    ['knowledge.list_visible_files', {}],
  ] as const;
  for (const [operation, input] of calls) {
    const url = `http://${addressOf('gateway')}:8080/api/v1/operations/${operation}`;
    const headers = [
      '--header',
      `Authorization: Bearer ${owner.token}`,
      '--header',
      'Content-Type: application/json',
    ];
    await podman.inside(
      'curl',
      '--silent',
      '--fail-with-body',
      ...headers,
      '--data',
      JSON.stringify(input),
      url,
    );
  }
}
