import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';

let setprivWorks: boolean | undefined;

/**
 * The command line that runs a program which the kernel kills as soon as this process ends, however it ends: no server remains
 * that holds its port and data. Linux only (`setpriv` of util-linux); elsewhere the program runs without it. SIGKILL frees the port
 * and the data at once; these servers recover from it.
 */
export function tiedToParent(program: string, args: readonly string[]): { command: string; args: string[] } {
  setprivWorks ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore' }).status === 0;
  if (!setprivWorks) return { command: program, args: [...args] };
  return { command: 'setpriv', args: ['--pdeathsig', 'KILL', program, ...args] };
}

const tailBytes = 64 * 1024;

/** The log file of a server. */
export interface ServerLog {
  readonly fd: number;
  /** Closes this process's own handle; the server has its own. */
  close(): Promise<void>;
  /** The lines appended since it was opened, at most the last 64 KiB of them. */
  tail(): Promise<string[]>;
}

/**
 * Opens a log file to append to, and creates it and its folder if needed. Only this user can read it, as servers log addresses,
 * names and sometimes a value. A file of an earlier run gets that mode too; a folder keeps its own.
 */
export async function openServerLog(path: string): Promise<ServerLog> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a', 0o600);
  await file.chmod(0o600);
  const { size: start } = await file.stat();
  return {
    fd: file.fd,
    close: () => file.close(),
    tail: async () => {
      const { size } = await stat(path);
      const from = Math.max(start, size - tailBytes);
      const lines = (await text(createReadStream(path, { start: from }))).split('\n');
      return from > start ? lines.slice(1) : lines;
    },
  };
}
