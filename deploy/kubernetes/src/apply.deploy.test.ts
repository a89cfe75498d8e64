import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processes, services } from '@action-platform/contracts/services';
import { afterAll, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import type { KubernetesObject } from './objects.ts';
import { overlays, render } from './render.ts';

const script = fileURLToPath(new URL('../apply', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'apply-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A Secret of a former content. */
const FORMER = 'grants-0123456789';

/** Runs the script with a kubectl that only notes its arguments, and gives the selector of each `apply`. */
function selectorsFor(objects: readonly KubernetesObject[], ...options: string[]): string[] {
  const [log, rendered] = [join(folder, 'log'), join(folder, 'rendered')];
  writeFileSync(log, '');
  writeFileSync(
    rendered,
    objects
      .map(({ metadata: { name, labels = {} } }) =>
        stringify({ metadata: { labels, name, namespace: 'cell-2' } }),
      )
      .join('---\n'),
  );
  const kubectl = `#!/bin/sh
echo "$*" >> ${log}
case "$*" in
  kustomize*) cat ${rendered} ;;
  *' apply '*) cat > /dev/null ;;
  *'get secrets,configmaps'*) printf 'secret/%s\\n' ${FORMER} ; sed -n 's|^  name: |secret/|p' ${rendered} ;;
esac
`;
  writeFileSync(join(folder, 'kubectl'), kubectl, { mode: 0o755 });
  const environment = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  execFileSync(script, [...options, 'overlay'], { env: environment, stdio: 'pipe' });
  const calls = readFileSync(log, 'utf8').trim().split('\n');
  const pruned = calls.filter((call) => /delete (?!job)/.test(call));
  expect(pruned).toEqual([`--namespace cell-2 delete secret/${FORMER}`]);
  // A client-side apply would copy each Secret into an annotation of it.
  for (const call of calls.filter((each) => / apply /.test(each)))
    expect(call).toMatch(/^--namespace cell-2 apply --server-side /);
  expect(calls.at(-1)).toBe(pruned[0]);
  const selectors = [...readFileSync(log, 'utf8').matchAll(/apply --server-side .* --selector (.*)/g)].map(
    ([, selector]) => selector!,
  );
  // kubectl fails when a selector matches no object.
  expect(selectors.filter((selector) => !objects.some((object) => matches(selector, object)))).toEqual([]);
  return selectors;
}

/** Whether an object matches the selectors that the script uses. */
function matches(selector: string, { metadata }: KubernetesObject): boolean {
  const name = metadata.labels?.['app.kubernetes.io/name'];
  const [, not, values] = / (not)?in \((.*)\)$/.exec(selector) ?? [];
  if (values !== undefined)
    return name !== undefined && values.split(',').includes(name) === (not === undefined);
  return selector.startsWith('!') ? name === undefined : name === selector.split('=')[1];
}

/** The workloads that each call of `apply` changes, in order. */
function workloadsOf(objects: readonly KubernetesObject[], selectors: readonly string[]): string[][] {
  return selectors
    .map((selector) =>
      objects
        .filter((object) => matches(selector, object))
        .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
        .map(({ metadata }) => metadata.name!)
        .toSorted(),
    )
    .filter(({ length }) => length > 0);
}

test.each(overlays)('%s: every object is applied once, in the order of a rolling change', (overlay) => {
  const objects = render(overlay);
  const selectors = selectorsFor(objects);
  const applied = selectors.flatMap((selector) => objects.filter((object) => matches(selector, object)));
  expect(applied).toHaveLength(objects.length);
  expect(new Set(applied).size).toBe(objects.length);
  const servers = overlay === 'production' ? [['nats']] : [['mongodb', 'nats'], ['database-users']];
  const workloads = workloadsOf(objects, selectors);
  expect(workloads).toEqual([...servers, [...services, 'admin'].toSorted(), ['gateway']]);
  expect(workloads.flat()).toEqual(expect.arrayContaining([...processes]));
});

test.each(overlays)('%s: the way back is the reverse, and changes no database users', (overlay) => {
  const objects = render(overlay);
  const servers = overlay === 'production' ? ['nats'] : ['mongodb', 'nats'];
  expect(workloadsOf(objects, selectorsFor(objects, '--back'))).toEqual([
    ['gateway'],
    [...services, 'admin'].toSorted(),
    servers,
  ]);
});

test('an overlay may have its servers elsewhere', () => {
  const objects = render('production', [], ['../../components/nats']);
  const others = [...services, 'admin'].toSorted();
  expect(workloadsOf(objects, selectorsFor(objects))).toEqual([others, ['gateway']]);
  expect(workloadsOf(objects, selectorsFor(objects, '--back'))).toEqual([['gateway'], others]);
});
