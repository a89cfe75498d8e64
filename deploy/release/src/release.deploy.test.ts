import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const { version } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8')) as { version: string };
const DIGEST = `sha256:${'ab'.repeat(32)}`;
const image = `registry.example.com/acme/action-platform@${DIGEST}`;

/** Programs of a release that only note their arguments, and answer as the real ones. */
const programs = {
  docker: `case "$*" in
    'buildx create'*) echo builder ;;
    'buildx build'*) while [ "$1" != --metadata-file ]; do shift; done; printf '{"containerimage.digest": "${DIGEST}"}' > "$2" ;;
  esac`,
  cosign: '',
  oras: `cp ./*.tar.gz "$FOLDER/"; echo "Digest: ${DIGEST}"`,
  gh: 'cat > "$FOLDER/notes"',
};

let folder: string;
let environment: NodeJS.ProcessEnv;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  for (const [name, answer] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/bash\necho "${name} $*" >> "$FOLDER/log"\n${answer}\n`, {
      mode: 0o755,
    });
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
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (script: string, ...args: string[]) =>
  execFileSync(join(repository, 'deploy/release', script), args, {
    cwd: repository,
    env: environment,
    encoding: 'utf8',
    stdio: 'pipe',
  });
const readIn = (name: string) => readFileSync(join(folder, name), 'utf8');

test('a release pushes and signs the image, then the manifests with its digest', () => {
  run('publish');
  const calls = readIn('log').trim().split('\n');
  expect(calls.map((call) => call.split(' ').slice(0, 2).join(' '))).toEqual([
    'docker login',
    'docker buildx',
    'docker buildx',
    'cosign sign',
    'oras push',
    'cosign sign',
  ]);
  expect(calls[2]).toMatch(/--platform linux\/amd64,linux\/arm64 --sbom=true --provenance=mode=max/);
  expect(calls[3]).toBe(`cosign sign --yes ${image}`);
  expect(calls[4]).toContain(`registry.example.com/acme/action-platform-manifests:${version}`);
  expect(readIn('log')).not.toContain('secret');
  expect(readIn('output')).toBe(`image=${image}\n`);
  expect(readdirSync(folder)).toContain(`action-platform-${version}.tar.gz`);
});

test('the published manifests name the image by its digest, and need no source', () => {
  const out = join(folder, 'manifests');
  run('manifests', '--to', image, out);
  const compose = readFileSync(join(out, 'docker-compose.yml'), 'utf8');
  expect(compose).toContain(`\${PLATFORM_IMAGE:-${image}}`);
  expect(compose).not.toMatch(/^ *build:/m);
  for (const overlay of ['evaluation', 'production']) {
    const values = readFileSync(join(out, `deploy/kubernetes/overlays/${overlay}/values.yaml`), 'utf8');
    expect(parse(values)).toMatchObject({ image });
  }
  expect(readdirSync(join(out, 'deploy/kubernetes'))).toEqual(['apply', 'base', 'components', 'overlays']);
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
