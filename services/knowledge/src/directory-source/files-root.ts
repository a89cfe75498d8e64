import { access, constants, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@action-platform/service-host';
import type { Files } from '../files/files.ts';
import { idsOfFolders, pathOfFile } from '../files/layout.ts';

/**
 * The root of a directory source, which decides whether missing files count as removed. An unmounted volume leaves a missing or
 * empty folder at its path, as if a user had removed all files.
 *
 * - The root becomes suspect when it is missing, cannot be read, or holds no folder of a Workspace with listed files.
 * - It stays suspect, for any number of passes, until one finds a listed file in it. New files alone prove nothing, because
 *   a process may write to the mount point.
 * - An operator who emptied it on purpose removes the listing (`files forget`), and an empty listing needs no protection.
 */
export class FilesRoot {
  readonly #directory: string;
  readonly #files: Files;
  readonly #log: Logger;
  #isSuspect = false;

  constructor(directory: string, files: Files, log: Logger) {
    this.#directory = directory;
    this.#files = files;
    this.#log = log;
  }

  get isSuspect(): boolean {
    return this.#isSuspect;
  }

  /** Checks the root. Returns whether the listing may follow it. */
  async check(): Promise<boolean> {
    const isSuspect = !(await this.#isCredible());
    if (isSuspect && !this.#isSuspect) {
      this.#log.warn(
        'FILES_DIR is missing, cannot be read, or was emptied; the listing is kept until its files are back. ' +
          'If it was emptied on purpose: admin files forget',
      );
    }
    if (!isSuspect && this.#isSuspect) this.#log.info('FILES_DIR is followed again');
    this.#isSuspect = isSuspect;
    return !isSuspect;
  }

  async #isCredible(): Promise<boolean> {
    const folders = await this.#folders();
    if (folders === undefined) return false;
    if (!(await this.#files.hasAny('directory'))) return true;
    const workspaces = idsOfFolders(folders);
    return this.#isSuspect
      ? await this.#holdsListedFile(workspaces)
      : await this.#files.hasAny('directory', workspaces);
  }

  /** The names in the root; undefined when it is missing or cannot be read. */
  async #folders(): Promise<string[] | undefined> {
    try {
      await access(this.#directory, constants.R_OK | constants.X_OK);
      return await readdir(this.#directory);
    } catch {
      return undefined;
    }
  }

  async #holdsListedFile(workspaces: readonly string[]): Promise<boolean> {
    for (const workspaceId of workspaces) {
      for (const group of await this.#files.groups(workspaceId)) {
        for (const path of await this.#files.pathsOf('directory', group, '')) {
          const found = access(join(this.#directory, pathOfFile(group, path))).then(
            () => true,
            () => false,
          );
          if (await found) return true;
        }
      }
    }
    return false;
  }
}
