import type { Principal } from '@action-platform/contracts/authority';
import { addFile, refreshFiles } from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import { getFile, listVisibleFiles } from '@action-platform/contracts/operations';
import { aMember, TestPlatform, type TestPrincipal } from '@action-platform/testing';
import type { VisibleFile } from '../files/files.ts';
import { knowledge } from '../service.ts';
import { until } from './until.ts';

/** The knowledge service, whose passes begin only at its start and on request. */
export class TestKnowledge {
  readonly platform = new TestPlatform();

  /** Starts a replica in this process. */
  async start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.platform.start(knowledge, environment);
  }

  async stop(): Promise<void> {
    await this.platform.stop();
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

  /** Reads a file. */
  async get(caller: TestPrincipal, key: string) {
    return await this.platform.call(getFile, caller, { key });
  }

  /** The paths that a caller sees in one scope. */
  async paths(caller: Principal, scope?: 'company' | 'personal'): Promise<string[]> {
    return (await this.list(caller, scope)).map(({ path }) => path);
  }

  /** Runs the operator's command `files refresh`, and resolves when the requested pass has ended. */
  async pass(): Promise<void> {
    await this.platform.callAs('admin', refreshFiles, {});
    await this.passed();
  }

  /** Resolves when the passes under way or due have ended. */
  async passed(): Promise<void> {
    const sources = await this.#sources();
    await until(
      () => sources.find().toArray(),
      (found) =>
        found.length > 0 &&
        found.every(({ lease, due_at }) => lease === undefined && (due_at ?? 0) > new Date()),
    );
  }

  async #sources() {
    const { db } = await this.platform.database('knowledge');
    return db.collection<{ _id: string; due_at?: Date; lease?: object }>('sources');
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
