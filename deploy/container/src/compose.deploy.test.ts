import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processes, services } from '@action-platform/contracts';
import { paths } from '@action-platform/deployment';
import { platformProcess } from '@action-platform/local-servers';
import { describe, expect, test } from '@jest/globals';
import { findCompose } from './programs.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const [program, ...first] = await findCompose();
const text = readFileSync(`${repository}docker-compose.yml`, 'utf8');

/** A service as Compose understands it. */
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

/** What Compose makes of a file; throws with its words when it refuses. */
function understood(composeFile: string): Project {
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

const project = understood(text);
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
    'a service that is not there',
    'nats: { condition: service_healthy }',
    'nats2: { condition: service_healthy }',
    /nats2/,
  ],
  [
    'a network that is not there',
    'networks: [bus, database, telemetry]',
    'networks: [bus, databases]',
    /databases/,
  ],
  ['a volume that is not there', '- mail:/var/lib', '- male:/var/lib', /male/],
  ['a condition that is none', 'service_completed_successfully', 'service_done', /condition|service_done/],
])('%s is refused', (_mistake, right, wrong, complaint) => {
  expect(text).toContain(right);
  expect(() => understood(text.replace(right, wrong))).toThrow(complaint);
});

test('every service of the registry is there, and is what others of its kind are', () => {
  for (const service of processes) {
    expect(project.services[service]).toMatchObject({
      command: [`services/${service}/src/main.ts`],
      healthcheck: project.services.gateway!.healthcheck,
      restart: 'unless-stopped',
      stop_grace_period: '30s',
    });
  }
});

test('each is started as everywhere', () => {
  const dockerfile = readFileSync(`${repository}Dockerfile`, 'utf8');
  const [node, ...before] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)![1]!) as string[];
  expect(node).toBe('node');
  for (const name of processes) {
    expect([...before, ...project.services[name]!.command]).toEqual(platformProcess(name));
  }
});

describe.each(all)('%s', (_name, service) => {
  test('is locked up, and bounded', () => {
    expect(service).toMatchObject({
      user: expect.stringMatching(/^[1-9]\d*:\d+$/),
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: 256,
      mem_limit: expect.stringMatching(/^\d+$/),
    });
  });

  test('is reached from this machine alone, if at all', () => {
    for (const { host_ip } of service.ports ?? []) expect(host_ip).toBe('127.0.0.1');
  });
});

test('each service is given its own secrets and nobody else’s', () => {
  for (const name of processes) {
    const secrets = project.services[name]!.volumes!.filter(({ source }) => source === 'deployment');
    const database = name === 'gateway' ? [] : [paths.databaseUrl(name)];
    const own = [paths.authority, paths.seed(name), ...database];
    expect([name, secrets.map(({ volume }) => volume?.subpath)]).toEqual([name, own]);
    for (const { target, volume } of secrets) expect(target).toBe(`/run/platform/${volume!.subpath}`);
  }
});

test('the whole deployment is seen by those alone who make keys and users', () => {
  const whole = all.filter(([, { volumes = [] }]) =>
    volumes.some(({ source, volume }) => source === 'deployment' && !volume?.subpath),
  );
  expect(whole.map(([name]) => name).toSorted()).toEqual(['database-users', 'deployment']);
  expect(project.services.deployment!.network_mode).toBe('none');
});

test('bus and databases have no way out, and the gateway no way to a database', () => {
  const networksOf = (name: string) => Object.keys(project.services[name]!.networks ?? {}).toSorted();
  for (const network of ['bus', 'database', 'telemetry'])
    expect(project.networks[network]!.internal).toBe(true);
  expect(networksOf('mongo')).toEqual(['database']);
  expect(networksOf('nats')).toEqual(['bus']);
  expect(networksOf('gateway')).not.toContain('database');
  for (const service of services) expect(networksOf(service)).toEqual(['bus', 'database', 'telemetry']);
});
