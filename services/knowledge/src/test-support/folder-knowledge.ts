import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTestFolder } from '@action-platform/testing';
import { FollowedKnowledge } from './followed-knowledge.ts';

/** The knowledge service on a folder, in which tests write, move and remove files. */
export class FolderKnowledge extends FollowedKnowledge {
  readonly variable = 'FILES_DIR';
  readonly hiddenCode = 'ENOENT';
  readonly #temporary = makeTestFolder();
  readonly folder = join(this.#temporary, 'files');
  readonly environment = { FILES_DIR: this.folder, FILES_RESCAN_SECONDS: '86400' };

  constructor() {
    super();
    mkdirSync(this.folder);
  }

  override async stop(): Promise<void> {
    await super.stop();
    rmSync(this.#temporary, { recursive: true });
  }

  async set(keys: readonly string[]): Promise<void> {
    for (const name of readdirSync(this.folder)) this.remove(name);
    this.write(...keys);
  }

  async put(key: string, content: string | Uint8Array): Promise<void> {
    mkdirSync(dirname(this.at(key)), { recursive: true });
    writeFileSync(this.at('.next'), content);
    renameSync(this.at('.next'), this.at(key));
  }

  async hide(): Promise<void> {
    renameSync(this.folder, `${this.folder}.hidden`);
  }

  async show(): Promise<void> {
    renameSync(`${this.folder}.hidden`, this.folder);
  }

  /** The absolute path of one relative to the folder. */
  at(path: string): string {
    return join(this.folder, path);
  }

  /** Writes empty files and their folders. */
  write(...paths: readonly string[]): void {
    for (const path of paths) {
      mkdirSync(dirname(this.at(path)), { recursive: true });
      writeFileSync(this.at(path), '');
    }
  }

  remove(path: string): void {
    rmSync(this.at(path), { recursive: true });
  }

  /** Makes a symbolic link; the target is relative to the link's folder, or absolute. */
  link(path: string, target: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    symlinkSync(target, this.at(path));
  }
}
