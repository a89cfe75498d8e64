import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/** The version of this repository. */
export const { version } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8')) as {
  version: string;
};

/** The digest that the stand-in for docker gives for every image. */
export const DIGEST = `sha256:${'ab'.repeat(32)}`;

/** Makes a clone of what a release reads, on main, with the tag of its version and a digest for each image; returns its path. */
export function makeClone(folder: string, environment: NodeJS.ProcessEnv): string {
  const clone = join(folder, 'clone');
  mkdirSync(clone);
  const shell = (cwd: string, command: string) =>
    execFileSync('bash', ['-euo', 'pipefail', '-c', command], { cwd, env: environment, stdio: 'pipe' });
  shell(
    repository,
    `git ls-files -z --cached --others --exclude-standard LICENSE CHANGELOG.md Dockerfile docker-compose.yml package-lock.json '*package.json' deploy/compose deploy/observability deploy/kubernetes deploy/helm deploy/release |
      tar --create --null --ignore-failed-read --files-from - | tar --extract --directory ${clone}`,
  );
  shell(clone, 'deploy/release/pin');
  shell(
    clone,
    `git init --quiet --initial-branch main && git config user.email ci@example.com && git config user.name ci &&
      git add --all && git commit --quiet --message release && git tag v${version} && git update-ref refs/remotes/origin/main HEAD`,
  );
  return clone;
}
