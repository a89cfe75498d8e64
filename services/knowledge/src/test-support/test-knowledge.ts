import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { addFile, listVisibleFiles, newId, type Principal } from '@action-platform/contracts';
import type { RunningService } from '@action-platform/service-host';
import { aMember, TestPlatform } from '@action-platform/testing';
import type { VisibleFile } from '../files/files.ts';
import { knowledge } from '../service.ts';
import { until } from './until.ts';

/** The knowledge service on a directory of its own, in which tests write, move and remove files. */
export class TestKnowledge {
  readonly platform = new TestPlatform();
  /** The directory of the source. */
  directory = '';
  #temporary = '';

  /** Makes the directory and starts this many replicas. */
  async start(replicas = 1): Promise<void> {
    this.#temporary = await realpath(await mkdtemp(join(tmpdir(), 'action-platform-files-')));
    this.directory = join(this.#temporary, 'files');
    await mkdir(this.directory);
    for (let i = 0; i < replicas; i++) await this.startReplica();
  }

  /** Starts a replica with such a long pause between passes that it finds changes only by watches. */
  async startReplica(environment: Readonly<Record<string, string>> = {}): Promise<RunningService> {
    return await this.platform.startService(knowledge, {
      FILES_DIR: this.directory,
      FILES_RESCAN_SECONDS: '86400',
      ...environment,
    });
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    await rm(this.#temporary, { recursive: true, force: true });
  }

  /** The absolute path of one relative to the directory. */
  at(path: string): string {
    return join(this.directory, path);
  }

  /** Writes empty files and their folders. */
  async write(...paths: string[]): Promise<void> {
    for (const path of paths) {
      await mkdir(dirname(this.at(path)), { recursive: true });
      await writeFile(this.at(path), '');
    }
  }

  async move(from: string, to: string): Promise<void> {
    await mkdir(dirname(this.at(to)), { recursive: true });
    await rename(this.at(from), this.at(to));
  }

  async remove(path: string): Promise<void> {
    await rm(this.at(path), { recursive: true });
  }

  /** Makes a symbolic link; the target is relative to the link's folder, or absolute. */
  async link(path: string, target: string): Promise<void> {
    await mkdir(dirname(this.at(path)), { recursive: true });
    await symlink(target, this.at(path));
  }

  /** Runs the operator's command `files add`. */
  async add(workspace: string, path: string, user?: string): Promise<VisibleFile> {
    const { file } = await this.platform.callAs('admin', addFile, { workspace, path, user });
    return file;
  }

  /** The files that a caller sees in one scope. */
  async list(caller: Principal, scope: 'company' | 'personal' = 'company'): Promise<VisibleFile[]> {
    const { result } = await this.platform.call(listVisibleFiles, caller, { scope });
    return result.groups[0]!.files;
  }

  /** The paths that a caller sees in one scope. */
  async paths(caller: Principal, scope?: 'company' | 'personal'): Promise<string[]> {
    return (await this.list(caller, scope)).map(({ path }) => path);
  }

  /** Resolves once a caller sees exactly these paths in a scope. */
  async shows(caller: Principal, expected: readonly string[], scope?: 'company' | 'personal'): Promise<void> {
    await until(
      () => this.paths(caller, scope),
      (paths) => isDeepStrictEqual(paths, expected),
    );
  }

  /** Resolves when the only replica has scanned all earlier changes of the directory. */
  async settled(): Promise<void> {
    // The replica scans changes in their order.
    const { member, company } = newMember();
    await this.write(`${company}/marker`);
    await this.once(member, 'marker');
  }

  /** The files that a caller sees, once they contain a path, or with `false` once they do not. */
  async once(caller: Principal, path: string, isThere = true): Promise<VisibleFile[]> {
    return await until(
      () => this.list(caller),
      (files) => files.some((file) => file.path === path) === isThere,
    );
  }
}

/** A Member of a Workspace without folders; `company` and `personal` are their paths. */
export function newMember(): { member: Principal; company: string; personal: string } {
  const member = aMember({ workspaceId: newId('workspace') });
  return {
    member,
    company: `${member.workspaceId}/company`,
    personal: `${member.workspaceId}/personal/${member.userId}`,
  };
}
