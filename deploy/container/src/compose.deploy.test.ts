import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processes, services } from '@action-platform/contracts';
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

/** Normalizes a file. @throws Error with Compose's message when it refuses */
function normalized(composeFile: string): Project {
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
  const environment = { ...process.env, COMPOSE_FILE: '', COMPOSE_PROJECT_NAME: 'platform', PORT: '8080' };
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
      stop_grace_period: '30s',
    });
  }
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
    for (const { target, volume } of secrets) expect(target).toBe(`/run/platform/${volume!.subpath}`);
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
  const inside = ['bus', 'database', 'telemetry'];
  for (const service of services)
    expect([service, networksOf(service)]).toEqual([
      service,
      service === 'events' ? [...inside, 'edge'].toSorted() : inside,
    ]);
});
