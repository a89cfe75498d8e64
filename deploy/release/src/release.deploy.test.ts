import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { DIGEST, makeClone, version } from './test/clone.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const image = `registry.example.com/acme/action-platform@${DIGEST}`;

/** Programs of a release that only note their arguments, and answer as the real ones. A file named `published` is an image in the registry. */
const programs = {
  docker: `case "$*" in
    *'--format {{ .Manifest.Digest }}') echo ${DIGEST} ;;
    'buildx imagetools inspect'*) [ -e "$FOLDER/published" ] || { echo 'ERROR: not found' >&2; exit 1; } ;;
    'buildx create'*) echo builder ;;
    'buildx build'*) while [ "$1" != --metadata-file ]; do shift; done; printf '{"containerimage.digest": "${DIGEST}"}' > "$2" ;;
  esac`,
  cosign: '',
  helm: `case "$1" in package) touch "$8/action-platform-$4.tgz" ;; push) echo "Digest: ${DIGEST}" ;; esac`,
  oras: `cp ./*.tar.gz "$FOLDER/"; echo "Digest: ${DIGEST}"`,
  gh: `case "$*" in *reviewers*|*environments*) cat "$FOLDER/rules" ;; *) cat > "$FOLDER/notes" ;; esac`,
};

let folder: string;
/** A clone of what a release reads, on main, with the tag of its version. */
let clone: string;
let environment: NodeJS.ProcessEnv;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  for (const [name, answer] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/bash\necho "${name} $*" >> "$FOLDER/log"\n${answer}\n`, {
      mode: 0o755,
    });
  writeFileSync(join(folder, 'rules'), 'required_reviewers\n');
  environment = {
    ...process.env,
    PATH: `${folder}:${process.env.PATH}`,
    FOLDER: folder,
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_REPOSITORY: 'Acme/Action-Platform',
    GITHUB_ACTOR: 'ada',
    REGISTRY: 'registry.example.com',
    REGISTRY_TOKEN: 'secret',
    TAG: `v${version}`,
    IMAGE: image,
    MANIFESTS: image,
    CHART: image,
  };
  clone = makeClone(folder, environment);
});
beforeEach(() => writeFileSync(join(folder, 'log'), ''));
afterAll(() => rmSync(folder, { recursive: true }));

const shell = (cwd: string, command: string) =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', command], { cwd, env: environment, stdio: 'pipe' });
const run = (script: string, ...args: string[]) =>
  execFileSync(join(clone, 'deploy/release', script), args, {
    cwd: clone,
    env: environment,
    encoding: 'utf8',
    stdio: 'pipe',
  });
const readIn = (name: string) => readFileSync(join(folder, name), 'utf8');
const callsIn = () => readIn('log').trim().split('\n');

test('a release pushes the image on locked bases, then manifests and chart with its digest, and signs none', () => {
  run('publish');
  const calls = callsIn();
  expect(calls.map((call) => call.split(' ').slice(0, 2).join(' '))).toEqual([
    'docker login',
    'docker buildx',
    'docker buildx',
    'oras push',
    'helm package',
    'helm push',
  ]);
  expect(calls[2]).toMatch(/--platform linux\/amd64,linux\/arm64 --sbom=true --provenance=mode=max/);
  const [, base] = /^FROM (?:--platform=\S+ )?(node:\S+)/m.exec(
    readFileSync(`${repository}Dockerfile`, 'utf8'),
  )!;
  expect(calls[2]).toContain(`--build-context ${base}=docker-image://${base}@${DIGEST}`);
  expect(calls[3]).toContain(`registry.example.com/acme/action-platform-manifests:${version}`);
  expect(calls.at(-1)).toContain(`action-platform-${version}.tgz oci://registry.example.com/acme/charts`);
  expect(readIn('log')).not.toContain('secret');
  expect(readIn('output').trim().split('\n')).toEqual([
    `image=${image}`,
    `manifests=registry.example.com/acme/action-platform-manifests@${DIGEST}`,
    `chart=registry.example.com/acme/charts/action-platform@${DIGEST}`,
  ]);
  expect(readdirSync(folder)).toContain(`action-platform-${version}.tar.gz`);
});

test('another job signs the image, the manifests and the chart', () => {
  run('sign');
  expect(callsIn().slice(1)).toEqual(Array(3).fill(`cosign sign --yes ${image}`));
  environment.IMAGE = 'registry.example.com/acme/action-platform:latest';
  expect(() => run('sign')).toThrow(/No digest/);
  environment.IMAGE = image;
});

test('a tag on main that is the version, has no release and needs an approval may become one', () => {
  run('allowed');
});

test.each([
  [
    'a tag that is not on main',
    'git update-ref refs/remotes/origin/main "$(git commit-tree -m other HEAD^{tree})"',
    /not on main/,
  ],
  [
    'a version that no package has',
    `sed --in-place 's/"version": .*/"version": "9.9.9",/' package.json`,
    /not the version/,
  ],
  ['a version that is published', 'touch "$FOLDER/published"', /a tag never moves/],
  ['an environment without reviewers', 'echo branch_policy > "$FOLDER/rules"', /needs required reviewers/],
  [
    'an image without a digest',
    'sed --in-place /^node:/d deploy/release/images.lock',
    /no digest of these images.*\nnode:/,
  ],
  [
    'a Compose file of another version',
    'sed --in-place "s/action-platform:[0-9.]*}/action-platform:9.9.9}/" docker-compose.yml',
    /docker-compose.yml names/,
  ],
])('%s is refused', (_case, change, message) => {
  shell(clone, change);
  try {
    expect(() => run('allowed')).toThrow(message);
  } finally {
    shell(
      clone,
      'rm -f "$FOLDER/published"; echo required_reviewers > "$FOLDER/rules"; git reset --quiet --hard; git update-ref refs/remotes/origin/main HEAD',
    );
  }
});

test('the locked digests, once they are there, are those of every image', () => {
  const isLocked = existsSync(`${repository}deploy/release/images.lock`);
  const { status } = spawnSync(`${repository}deploy/release/pin`, ['--check'], { cwd: repository });
  expect(status === 0).toBe(isLocked);
});

test('the published manifests name the image by its digest, and need no source', () => {
  const out = join(folder, 'manifests');
  run('manifests', '--to', image, out);
  const compose = readFileSync(join(out, 'docker-compose.yml'), 'utf8');
  expect(compose).toContain(`\${PLATFORM_IMAGE:-${image}}`);
  expect(compose).not.toMatch(/^ *build:/m);
  const named = [...compose.matchAll(/^ *image: (.*)$/gm)].map(([, name]) => name!);
  expect(named.filter((name) => !name.includes('@sha256:'))).toEqual([]);
  for (const folder of ['kubernetes/overlays/evaluation', 'kubernetes/overlays/production', 'helm']) {
    const values = readFileSync(join(out, `deploy/${folder}/values.yaml`), 'utf8');
    expect(parse(values)).toMatchObject({
      image,
      nats: {
        image: expect.stringContaining(`@${DIGEST}`),
        exporterImage: expect.stringContaining(`@${DIGEST}`),
      },
    });
  }
  expect(readdirSync(join(out, 'deploy/kubernetes'))).toEqual(['apply', 'base', 'components', 'overlays']);
});

test('the image has the checksum of no file that the published manifests change', () => {
  const out = join(folder, 'changed');
  run('manifests', '--to', image, out);
  const changed = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(out, join(entry.parentPath, entry.name)))
    .filter((file) => readIn(join('changed', file)) !== readIn(join('clone', file)));
  expect(changed).toEqual(expect.arrayContaining(['docker-compose.yml', 'deploy/helm/values.yaml']));
  const lines = readFileSync(`${repository}.dockerignore`, 'utf8').split('\n');
  const isNamed = (file: string, names: readonly string[]) =>
    names.some((name) => file === name || file.startsWith(`${name}/`));
  const included = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(changed.filter((file) => isNamed(file, included) && !isNamed(file, lines))).toEqual([]);
});

test('the notes of a version are its section of the changelog, with links that work elsewhere', () => {
  run('announce');
  const notes = readIn('notes');
  expect(notes).toMatch(/^[A-Z#]/);
  expect(notes).toContain(`https://github.com/Acme/Action-Platform/blob/v${version}/docs/`);
  expect(notes).not.toMatch(/\]\(docs\//);
  expect(notes).not.toMatch(/^## /m);
  expect(notes).toContain(`cosign verify ${image}`);
  expect(readIn('log')).toContain(`gh release create v${version} --verify-tag`);
});

test('a version without a section, or of no package, has no notes', () => {
  for (const [other, message] of [
    ['9.9.9', /no section for 9\.9\.9/],
    ['v0.1.0', /notes VERSION/],
  ] as const) {
    const { status, stderr } = spawnSync(join(repository, 'deploy/release/notes'), [other], {
      cwd: repository,
      encoding: 'utf8',
    });
    expect([other, status]).not.toEqual([other, 0]);
    expect(stderr).toMatch(message);
  }
});
