import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compose-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs deploy/compose with a `docker` that notes its arguments and answers with these branches of a `case`. */
function compose(words: string, branches: string) {
  const [calls, program] = [join(folder, 'calls'), join(folder, 'docker')];
  writeFileSync(calls, '');
  writeFileSync(program, `#!/usr/bin/env bash\necho "$*" >> ${calls}\ncase $* in\n${branches}\nesac\n`, {
    mode: 0o700,
  });
  const { status, stdout, stderr } = spawnSync(join(repository, 'deploy/compose'), words.split(' '), {
    cwd: repository,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, TMPDIR: folder, PATH: `${folder}${delimiter}${process.env.PATH}` },
  });
  return { status, lines: stdout.trim().split('\n'), stderr, calls: readFileSync(calls, 'utf8').split('\n') };
}

test('a repeated rotation takes no step before the actions of the former one are done', () => {
  const admin = (words: string) =>
    `'${process.execPath}' deploy/admin/src/main.ts deployment ${words} --dir ${folder}`;
  expect(spawnSync('bash', ['-c', admin('init')], { cwd: repository }).status).toBe(0);
  const rotate = (signal: string) =>
    compose(
      'rotate keys',
      [
        `*'rotate keys --again '*) ${admin('rotate keys --again')} ;;`,
        `*'rotate keys '*) ${admin('rotate keys')} ;;`,
        `*'--signal HUP nats') ${signal} ;;`,
        "'compose config') ;;",
        '*) exit 1 ;;',
      ].join('\n'),
    );
  const again = { status: 1, lines: ['keys: add', 'reload-bus'] };
  expect(rotate('exit 1')).toMatchObject({ status: 1, lines: ['keys: none', 'keys: add', 'reload-bus'] });
  expect(rotate('exit 1')).toMatchObject(again);
  // Nothing answers for the restart.
  const use = { status: 1, lines: [...again.lines, 'keys: use', 'restart'] };
  expect(rotate('true')).toMatchObject(use);
  expect(rotate('true')).toMatchObject({ status: 1, lines: ['keys: use', 'restart'] });
});

describe('a gateway with the single port', () => {
  const former = [
    "'compose config --images deployment') echo image ;;",
    '*SHA256SUMS) sha256sum package.json ;;',
    "'compose ps --quiet gateway') echo former ;;",
    "'compose ps --format '*) echo grants ;;",
    `'compose config gateway') echo 'published: "8080"' ;;`,
    "'compose run '*gateway) echo trial ;;",
  ];

  test('runs until a trial of the next one was healthy', () => {
    const branches = [
      ...former,
      "*inspect*trial) echo '0 exited unhealthy' ;;",
      "*'--status running gateway') echo former ;;",
    ];
    const { status, stderr, calls } = compose('rollback', branches.join('\n'));
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /gateway did not become healthy: nothing else changes\.\n.*; both versions serve\./,
    );
    expect(calls).toContain('rm --force trial');
    expect(calls).not.toContain('stop former');
  });

  test('is replaced afterwards, and a failure then says that no gateway runs', () => {
    const branches = [
      ...former,
      "*inspect*trial) echo '0 running healthy' ;;",
      "*'--status created gateway') echo next ;;",
      "*inspect*next) echo '0 exited unhealthy' ;;",
    ];
    const { status, stderr, calls } = compose('rollback', branches.join('\n'));
    expect(status).toBe(1);
    expect(stderr).toContain('; no gateway runs, so every call fails.');
    expect(calls.filter((call) => /^(stop|start|rm) /.test(call))).toEqual([
      ...['stop trial', 'rm trial', 'stop former', 'rm former'],
      ...['start next', 'rm --force next'],
    ]);
  });
});

test('a second command is refused while one runs', () => {
  const { status, stderr, lines, calls } = compose(
    'rotate keys',
    [
      "'compose config') echo 'name: one' ;;",
      '*) [ -n "$NESTED" ] || NESTED=1 deploy/compose rollback >&2; exit 3 ;;',
    ].join('\n'),
  );
  expect({ status, lines }).toEqual({ status: 3, lines: [''] });
  expect(stderr).toBe('Another deploy/compose changes this platform: wait for its end.\n');
  expect(calls.filter((call) => call !== '' && call !== 'compose config')).toHaveLength(1);
});
