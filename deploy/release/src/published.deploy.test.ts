import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fetchReleasePrograms, findHelm } from '@action-platform/container';
import { freePort, type RunningProcess, startServer } from '@action-platform/local-servers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { DIGEST, makeClone, version } from './test/clone.ts';
import { reachedByProduction } from './test/reached.ts';

/** The real oras, helm and cosign, at a registry on this machine. Only the image has a stand-in: a build needs those of others. */
const programs = await fetchReleasePrograms().catch(({ message }: Error) => ({ missing: message }));
const hasPrograms = typeof programs === 'string';
const title = 'a release in a registry';

(hasPrograms ? describe : describe.skip)(
  hasPrograms ? title : `${title} (skipped: ${programs.missing})`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'published-'));
    let registry: RunningProcess;
    let repository: string;
    let clone: string;
    let environment: NodeJS.ProcessEnv;
    let published: Record<'IMAGE' | 'MANIFESTS' | 'CHART', string>;

    const run = (program: string, ...args: string[]) =>
      execFileSync(program, args, { cwd: clone, env: environment, encoding: 'utf8', stdio: 'pipe' }).trim();
    const verify = (name: string, key = 'cosign.pub') =>
      run('cosign', 'verify', '--key', join(folder, key), '--insecure-ignore-tlog=true', name);

    beforeAll(async () => {
      const port = await freePort();
      const config = join(folder, 'registry.yaml');
      writeFileSync(
        config,
        `version: 0.1\nlog: { level: info }\nstorage: { filesystem: { rootdirectory: ${join(folder, 'registry')} } }\nhttp: { addr: "127.0.0.1:${port}" }\n`,
      );
      registry = await startServer({
        title: 'docker-registry',
        program: join(programs as string, 'docker-registry'),
        args: ['serve', config],
        logFile: join(folder, 'registry.log'),
        readyLine: /listening on/,
        explain: () => undefined,
      });
      repository = `localhost:${port}/acme/action-platform`;
      const docker = `#!/bin/sh\ncase "$*" in *'{{ .Manifest.Digest }}') echo ${DIGEST} ;; esac\n`;
      writeFileSync(join(folder, 'docker'), docker, { mode: 0o755 });
      const helm = dirname((await findHelm())[0]);
      const path = [folder, programs, ...(helm === '.' ? [] : [helm]), process.env.PATH].join(':');
      environment = { ...process.env, PATH: path, HOME: folder, COSIGN_PASSWORD: '', REGISTRY_TOKEN: '' };
      clone = makeClone(folder, environment);

      writeFileSync(join(clone, 'layer'), 'an image');
      const pushed = run('oras', 'push', `${repository}:${version}`, 'layer');
      const IMAGE = `${repository}@${/^Digest: (\S+)/m.exec(pushed)![1]}`;
      const MANIFESTS = run('deploy/release/manifests', version, IMAGE, `${repository}-manifests`);
      const CHART = run('deploy/release/chart', version, IMAGE, `${dirname(repository)}/charts`);
      published = { IMAGE, MANIFESTS, CHART };
      for (const key of ['cosign', 'other'])
        run('cosign', 'generate-key-pair', '--output-key-prefix', join(folder, key));
      environment = { ...environment, ...published, SIGNING_KEY: join(folder, 'cosign.key') };
      run('deploy/release/sign');
    });
    afterAll(async () => {
      await registry.stop();
      rmSync(folder, { recursive: true });
    });

    test('the key verifies image, manifests and chart, and no other key does', () => {
      for (const name of Object.values(published)) {
        expect(JSON.parse(verify(name))[0].critical.image['docker-manifest-digest']).toBe(name.split('@')[1]);
        expect(() => verify(name, 'other.pub')).toThrow(/signature/);
      }
    });

    test('what is pushed later under the same tag has no signature', () => {
      appendFileSync(join(clone, 'layer'), ', altered');
      run('oras', 'push', `${repository}:${version}`, 'layer');
      expect(() => verify(`${repository}:${version}`)).toThrow(/no signatures found/);
    });

    test('the chart of the registry names the image by its digest', () => {
      const chart = `oci://${dirname(repository)}/charts/action-platform`;
      const values = parse(run('helm', 'show', 'values', chart, '--version', version, '--plain-http'));
      expect(values).toMatchObject({
        image: published.IMAGE,
        nats: { image: expect.stringContaining(DIGEST) },
      });
    });

    test('the manifests of the registry have the SBOM, which names every package of the image with its version', () => {
      const out = join(folder, 'out');
      run('oras', 'pull', published.MANIFESTS, '--output', out);
      run(
        'tar',
        '--extract',
        '--gzip',
        '--file',
        join(out, `action-platform-${version}.tar.gz`),
        '--directory',
        out,
      );
      const sbom = readFileSync(join(out, `action-platform-${version}`, 'sbom.spdx.json'), 'utf8');
      const { spdxVersion, packages } = JSON.parse(sbom) as {
        spdxVersion: string;
        packages: { name: string; versionInfo: string; licenseDeclared: string }[];
      };
      expect(spdxVersion).toBe('SPDX-2.3');
      const named = packages.map(({ name, versionInfo }) => `${name}@${versionInfo}`);
      const reached = reachedByProduction(JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')));
      expect(reached.length).toBeGreaterThan(100);
      expect(reached.filter((each) => !named.includes(each))).toEqual([]);
      expect(packages.map(({ name }) => name)).not.toContain('jest');
      expect(
        packages.filter(({ licenseDeclared }) => !licenseDeclared || licenseDeclared === 'NOASSERTION'),
      ).toEqual([]);
      expect(run('deploy/release/sbom')).toBe(sbom.trim());
    });
  },
);
