import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findHelm } from '@action-platform/container';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { type KubernetesObject, podsOf } from './objects.ts';
import { render, writeDeployment } from './render.ts';

const chart = fileURLToPath(new URL('../../helm', import.meta.url));
const [helm, ...first] = await findHelm();

const folder = mkdtempSync(join(tmpdir(), 'chart-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeDeployment(join(folder, 'deployment'));
const secrets = join(folder, 'secrets.yaml');
writeFileSync(secrets, execFileSync(join(chart, 'secrets'), [join(folder, 'deployment')]));

const run = (...args: readonly string[]) =>
  execFileSync(helm, [...first, ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, HOME: folder },
  });

/** The objects of the chart, with these values beside its defaults and the files of a deployment. */
function template(values: object = {}, files: readonly string[] = [secrets]): KubernetesObject[] {
  const own = join(folder, 'values.yaml');
  writeFileSync(own, stringify(values));
  const options = [...files, own].flatMap((file) => ['--values', file]);
  const text = run('template', 'platform', chart, '--namespace', 'action-platform', ...options);
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object !== null);
}

const switchedOn = (names: readonly string[]) => ({
  components: Object.fromEntries(names.map((name) => [name, true])),
});

const CHECKSUM = 'checksum/configuration';

/**
 * The parts that both have in common: a chart has no namespace of its own. Where the name of a Secret or ConfigMap has a hash of its
 * content, the chart has a checksum in the annotations of the pods that read it.
 */
function comparable(objects: readonly KubernetesObject[]): Record<string, unknown> {
  const hashed = objects.flatMap(({ kind, metadata }) =>
    ['Secret', 'ConfigMap'].includes(kind) && /-[2456789bcdfghkmt]{10}$/.test(metadata.name!)
      ? [metadata.name!]
      : [],
  );
  const text = hashed.reduce(
    (all, name) => all.replaceAll(`"${name}"`, `"${name.slice(0, -11)}"`),
    JSON.stringify(objects),
  );
  const plain = (JSON.parse(text) as KubernetesObject[]).filter(({ kind }) => kind !== 'Namespace');
  for (const { spec } of plain) {
    const annotations = spec?.template?.metadata?.annotations as Record<string, string> | undefined;
    if (annotations === undefined) continue;
    delete annotations[CHECKSUM];
    if (Object.keys(annotations).length === 0)
      delete (spec!.template!.metadata as { annotations?: object }).annotations;
  }
  return Object.fromEntries(plain.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}

const component = (name: string) => `../../components/${name}`;
const {
  components: { nats: _, admin: _admin, ...optional },
} = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as { components: Record<string, boolean> };

test('with its defaults the chart has the objects of the overlay production', () => {
  const objects = template();
  expect(comparable(objects)).toEqual(comparable(render('production')));
  expect(objects.length).toBeGreaterThan(60);
});

test.each(Object.keys(optional))('with the component %s too', (name) => {
  const [on, off] = name === 'external-secrets' ? [[name], ['deployment']] : [[name], []];
  const objects = template(switchedOn(on), name === 'external-secrets' ? [] : [secrets]);
  expect(comparable(objects)).toEqual(comparable(render('production', on.map(component), off)));
});

test.each(['nats', 'admin'])('without the component %s too', (name) => {
  const without = template({ components: { [name]: false } });
  expect(comparable(without)).toEqual(comparable(render('production', [], [component(name)])));
});

test('with every component at once too', () => {
  const on = Object.keys(optional).filter((name) => name !== 'external-secrets');
  expect(comparable(template(switchedOn(on)))).toEqual(comparable(render('production', on.map(component))));
});

test('helm finds no mistake in it, but each planted one', () => {
  for (const values of [[], ['--values', secrets]])
    expect(run('lint', chart, '--strict', ...values)).toContain('0 chart(s) failed');
  for (const wrong of [
    { replicas: { gateway: { min: 'three' } } },
    { replica: {} },
    { components: { ingres: true } },
    { environment: { platform: { LOG_LEVEL: 1 } } },
    { environment: { gateway: { SHUTDOWN_DELAY_MS: '20000' } } },
    { environment: { platform: { HEALTH_PORT: '8082' } } },
    { deployment: { grants: { 'bus.sed': 'x' } } },
  ])
    expect(() => template(wrong)).toThrow(/values don't meet the specifications of the schema/);
});

test('without the files of a deployment it names the first that is missing', () => {
  expect(() => template({}, [])).toThrow(/deployment\/\S+: see docs\/kubernetes\.md#helm/);
});

describe('an upgrade', () => {
  const before = template();
  const checksums = (objects: readonly KubernetesObject[]) =>
    new Map(
      objects.flatMap(({ kind, metadata, spec }) => {
        const checksum = spec?.template?.metadata?.annotations?.[CHECKSUM];
        return checksum === undefined ? [] : [[`${kind} ${metadata.name}`, checksum]];
      }),
    );
  const restarted = (values: object) => {
    const after = checksums(template(values));
    return [...checksums(before)].flatMap(([name, checksum]) => (after.get(name) === checksum ? [] : [name]));
  };

  test('every pod has a checksum of what it reads at its start', () => {
    expect([...checksums(before).keys()].map((name) => name.split(' ')[1]).toSorted()).toEqual(
      podsOf(before)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  test('a new image changes every pod of the platform, and no object else', () => {
    const image = 'registry.example.com/action-platform@sha256:0123';
    const [former, changed] = [comparable(before), comparable(template({ image }))];
    const differing = Object.keys(former).filter(
      (name) => JSON.stringify(former[name]) !== JSON.stringify(changed[name]),
    );
    expect(differing.every((name) => name.startsWith('Deployment '))).toBe(true);
    expect(differing).toHaveLength(podsOf(before).length - 1);
    expect(restarted({ image })).toEqual([]);
  });

  test.each([
    ['a variable of every process', { environment: { platform: { LOG_LEVEL: 'debug' } } }, 10],
    ['a variable of the gateway', { environment: { gateway: { CORS_ORIGINS: 'https://a.example' } } }, 1],
    ['a secret of grants', { deployment: { grants: { 'database.url': 'mongodb://other' } } }, 1],
    ['the authority', { deployment: { tls: { 'ca.pem': 'other' } } }, 11],
    ['a number of replicas', { replicas: { gateway: { min: 4 } } }, 0],
  ])('%s restarts the pods that read it alone', (_what, values, pods) => {
    expect(restarted(values)).toHaveLength(pods);
  });

  test('a value beside the defaults keeps the others', () => {
    const platform = template({ environment: { platform: { LOG_LEVEL: 'debug' } } }).find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'platform',
    ) as unknown as { data: object };
    expect(platform.data).toMatchObject({ LOG_LEVEL: 'debug', NATS_URL: expect.stringContaining('nats-0') });
  });
});
