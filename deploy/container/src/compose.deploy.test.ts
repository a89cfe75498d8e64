import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processes, services } from '@action-platform/contracts/services';
import { platformProcess, platformVariables } from '@action-platform/local-servers';
import { describe, expect, test } from '@jest/globals';
import { findCompose } from './programs.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const [program, ...first] = await findCompose();
const text = readFileSync(`${repository}docker-compose.yml`, 'utf8');

/** A service in Compose's normalized form. */
interface Service {
  readonly image: string;
  readonly command: string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
  readonly read_only: boolean;
  readonly cap_drop: string[];
  readonly security_opt: string[];
  readonly mem_limit: string;
  readonly pids_limit: number;
  readonly restart: string;
  readonly profiles?: string[];
  readonly healthcheck?: object;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly network_mode?: string;
  readonly ports?: { readonly host_ip?: string }[];
  readonly volumes?: {
    readonly source: string;
    readonly target: string;
    readonly volume?: { readonly subpath?: string };
  }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}
interface Project {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

/** Normalizes a file, with further variables of its `.env`. @throws Error with Compose's message when it refuses */
function normalized(composeFile: string, variables: NodeJS.ProcessEnv = {}): Project {
  const args = [
    ...first,
    '--project-directory',
    repository,
    '--profile',
    '*',
    '--file',
    '-',
    'config',
    '--format',
    'json',
  ];
  const environment = {
    ...process.env,
    COMPOSE_FILE: '',
    COMPOSE_PROJECT_NAME: 'platform',
    PORT: '8080',
    ...variables,
  };
  return JSON.parse(
    execFileSync(program, args, { input: composeFile, encoding: 'utf8', env: environment, stdio: 'pipe' }),
  );
}

const project = normalized(text);
const all = Object.entries(project.services);

test.each([
  [
    'an unknown field',
    '    command: [services/grants/src/main.ts]',
    '    comand: [services/grants/src/main.ts]',
    /comand/,
  ],
  ['a value of another type', 'internal: true', 'internal: [yes]', /internal/],
  [
    'an unknown service',
    'nats: { condition: service_healthy }',
    'nats2: { condition: service_healthy }',
    /nats2/,
  ],
  ['an unknown network', 'networks: [bus, database, telemetry]', 'networks: [bus, databases]', /databases/],
  ['an unknown volume', '- mail:/var/lib', '- male:/var/lib', /male/],
  ['an unknown condition', 'service_completed_successfully', 'service_done', /condition|service_done/],
])('%s is refused', (_mistake, right, wrong, complaint) => {
  expect(text).toContain(right);
  expect(() => normalized(text.replace(right, wrong))).toThrow(complaint);
});

test('every service of the registry runs with the common settings', () => {
  for (const service of processes) {
    expect(project.services[service]).toMatchObject({
      command: [`services/${service}/src/main.ts`],
      healthcheck: project.services.gateway!.healthcheck,
      restart: 'unless-stopped',
      // docs/operations.md asks for SHUTDOWN_DELAY_MS plus 30 s.
      stop_grace_period: service === 'gateway' ? '1m0s' : '30s',
    });
  }
});

test('the image has the version of the packages as its tag', () => {
  const { version } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8'));
  for (const service of processes)
    expect(project.services[service]!.image).toBe(`action-platform:${version}`);
});

test('OBSERVABILITY alone turns the export of traces and metrics on, whatever the profiles', () => {
  const exported = (variables: NodeJS.ProcessEnv) => {
    const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, METRICS_PORT: metrics } = normalized(text, variables)
      .services.grants!.environment;
    return [traces, metrics];
  };
  expect(exported({ COMPOSE_PROFILES: 'demo,tls' })).toEqual(['', '']);
  expect(exported({ OBSERVABILITY: '1' })).toEqual(['http://collector:4318/v1/traces', '9464']);
});

test('a variable for each service sets its replicas', () => {
  for (const service of processes) {
    const name = `${service.toUpperCase().replace('-', '_')}_REPLICAS`;
    expect(normalized(text, { [name]: '3' }).services[service]).toMatchObject({ scale: 3 });
  }
});

test('the folders and files of this machine that .env names are mounted', () => {
  const set = normalized(text, {
    AUTHORITY_FILE: '/etc/ssl/acme.pem',
    FILES_DIR: '/srv/files',
    TLS_CERTIFICATE_DIR: '/etc/tls',
  }).services;
  const bind = (source: string, target: string) => expect.objectContaining({ type: 'bind', source, target });
  expect(set.gateway!.volumes).toContainEqual(bind('/etc/ssl/acme.pem', '/run/authority.pem'));
  expect(set.gateway!.environment).toMatchObject({
    SSL_CERT_FILE: '/run/authority.pem',
    NODE_OPTIONS: '--use-system-ca',
  });
  expect(set.knowledge!.volumes).toContainEqual(bind('/srv/files', '/var/lib/action-platform/files'));
  expect(set.proxy!.volumes).toContainEqual(bind('/etc/tls', '/run/certificate'));
  expect(set.proxy!.environment.CADDYFILE).toContain(
    'tls /run/certificate/certificate.pem /run/certificate/key.pem',
  );
  expect(project.services.proxy!.environment.CADDYFILE).not.toContain('tls /run');
});

test('each process starts with the same arguments and variables as in the local stack', () => {
  const dockerfile = readFileSync(`${repository}Dockerfile`, 'utf8');
  const [node, ...before] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)![1]!) as string[];
  expect(node).toBe('node');
  for (const name of processes) {
    expect([...before, ...project.services[name]!.command]).toEqual(platformProcess(name));
  }
  for (const [name, value] of Object.entries(platformVariables))
    expect(dockerfile).toMatch(new RegExp(`^ENV .*\\b${name}=${value}$`, 'm'));
});

describe.each(all)('%s', (_name, service) => {
  test('has no privileges, and limits', () => {
    expect(service).toMatchObject({
      user: expect.stringMatching(/^[1-9]\d*:\d+$/),
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: 256,
      mem_limit: expect.stringMatching(/^\d+$/),
    });
  });

  test('listens on this machine alone', () => {
    for (const { host_ip } of service.ports ?? []) expect(host_ip).toBe('127.0.0.1');
  });
});

test('each container mounts whole folders of the deployment: its own, and the certificate authority’s', () => {
  const folderOf: Readonly<Record<string, string>> = { nats: 'nats', mongo: 'mongodb' };
  for (const name of [...processes, 'nats', 'mongo']) {
    const secrets = project.services[name]!.volumes!.filter(({ source }) => source === 'deployment');
    const own = ['tls', folderOf[name] ?? name];
    expect([name, secrets.map(({ volume }) => volume?.subpath)]).toEqual([name, own]);
    const target = folderOf[name] ?? 'credentials';
    expect(secrets.map((secret) => secret.target)).toEqual(['/run/platform/tls', `/run/platform/${target}`]);
  }
});

test('only the services that create keys and users mount the whole deployment', () => {
  const whole = all.filter(([, { volumes = [] }]) =>
    volumes.some(({ source, volume }) => source === 'deployment' && !volume?.subpath),
  );
  expect(whole.map(([name]) => name).toSorted()).toEqual(['database-users', 'deployment']);
  expect(project.services.deployment!.network_mode).toBe('none');
});

test('deploy/compose replaces every process, the gateway last', () => {
  const [, parts] = /^parts=\((.*)\)$/m.exec(readFileSync(`${repository}deploy/compose`, 'utf8'))!;
  expect(parts!.split(' ')).toEqual([...services, 'gateway']);
});

test('the networks of bus and databases have no route out, and the gateway is not on the databases’ network', () => {
  const networksOf = (name: string) => Object.keys(project.services[name]!.networks ?? {}).toSorted();
  for (const network of ['bus', 'database', 'telemetry'])
    expect(project.networks[network]!.internal).toBe(true);
  expect(networksOf('mongo')).toEqual(['database']);
  expect(networksOf('nats')).toEqual(['bus']);
  expect(networksOf('gateway')).not.toContain('database');
  expect(networksOf('alertmanager')).toEqual(['edge', 'telemetry']);
  const inside = ['bus', 'database', 'telemetry'];
  // The services in this list send requests to servers that Owners, or programs that sign in, name.
  const outside = ['events', 'custom-operations', 'grants'];
  for (const service of services)
    expect([service, networksOf(service)]).toEqual([
      service,
      outside.includes(service) ? [...inside, 'edge'].toSorted() : inside,
    ]);
});
