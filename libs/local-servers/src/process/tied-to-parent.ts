import { spawnSync } from 'node:child_process';

let setprivWorks: boolean | undefined;

/**
 * The command line that runs a program and lets the kernel kill it when this process is gone, however it went, so that
 * no server is left behind that holds its port and data. Linux only (`setpriv` of util-linux); elsewhere the program
 * runs as it is. SIGKILL, because then its port and data are free at once; these servers recover from it.
 */
export function tiedToParent(program: string, args: readonly string[]): { command: string; args: string[] } {
  setprivWorks ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore' }).status === 0;
  if (!setprivWorks) return { command: program, args: [...args] };
  return { command: 'setpriv', args: ['--pdeathsig', 'KILL', program, ...args] };
}
