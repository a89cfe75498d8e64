import {
  archiveRecord,
  createCollection,
  deleteRecord,
  getRecord,
  getRecordHistory,
  listRecords,
  type Principal,
  patchRecord,
  pushRecord,
  replaceRecord,
  restoreRecord,
  setQuota,
  showQuota,
} from '@action-platform/contracts';
import { ExactJson, stringifyJson } from '@action-platform/json';
import { aMember, anOwner, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll } from '@jest/globals';
import { recordStore } from '../service.ts';

/** A platform with replicas of the service for the tests of a file. */
export function recordStores(
  replicas: number,
  environment: Readonly<Record<string, string>> = {},
): TestPlatform {
  const platform = new TestPlatform();
  beforeAll(() => platform.start(Array(replicas).fill(recordStore), environment));
  afterAll(() => platform.stop());
  return platform;
}

/** A Workspace with one Collection, and the calls that tests make on it. Payloads are JSON text. */
export class TestWorkspace {
  readonly platform: TestPlatform;
  readonly owner: Principal;
  readonly member: Principal;
  readonly collectionId: string;

  private constructor(platform: TestPlatform, owner: Principal, collectionId: string) {
    this.platform = platform;
    this.owner = owner;
    this.member = aMember({ workspaceId: owner.workspaceId });
    this.collectionId = collectionId;
  }

  static async create(
    platform: TestPlatform,
    options: { memberWrites?: boolean } = {},
  ): Promise<TestWorkspace> {
    const owner = anOwner();
    const { result } = await platform.call(createCollection, owner, {
      name: 'Things',
      member_writes_enabled: options.memberWrites ?? false,
    });
    return new TestWorkspace(platform, owner, result.collection.id);
  }

  push(payload: string, more: object = {}, as = this.owner) {
    return this.platform.call(pushRecord, as, this.#body({ payload: new ExactJson(payload), ...more }));
  }

  /** Pushes a Record and returns its id. */
  async pushed(payload = '{"n":1}', more: object = {}): Promise<string> {
    return (await this.push(payload, more)).result.record.id;
  }

  get(record_id: string, as = this.owner) {
    return this.platform.call(getRecord, as, this.#body({ record_id }));
  }

  history(record_id: string, more: object = {}, as = this.owner) {
    return this.platform.call(getRecordHistory, as, this.#body({ record_id, ...more }));
  }

  list(more: object = {}, as = this.owner) {
    return this.platform.call(listRecords, as, this.#body(more));
  }

  replace(record_id: string, payload: string, more: object = {}, as = this.owner) {
    return this.platform.call(
      replaceRecord,
      as,
      this.#body({ record_id, payload: new ExactJson(payload), ...more }),
    );
  }

  patch(record_id: string, patch: string, more: object = {}, as = this.owner) {
    return this.platform.call(
      patchRecord,
      as,
      this.#body({ record_id, patch: new ExactJson(patch), ...more }),
    );
  }

  archive(record_id: string, more: object = {}, as = this.owner) {
    return this.platform.call(archiveRecord, as, this.#body({ record_id, ...more }));
  }

  restore(record_id: string, as = this.owner) {
    return this.platform.call(restoreRecord, as, this.#body({ record_id }));
  }

  delete(record_id: string, as = this.owner) {
    return this.platform.call(deleteRecord, as, this.#body({ record_id }));
  }

  setQuota(bytes: number) {
    return this.platform.callAs('admin', setQuota, { workspace: this.owner.workspaceId, bytes });
  }

  /** The stored bytes that `show_quota` reports. */
  async storedBytes(): Promise<number> {
    const { workspaceId } = this.owner;
    return (await this.platform.callAs('admin', showQuota, { workspace: workspaceId })).stored_bytes;
  }

  #body(input: object): string {
    return stringifyJson({ collection_id: this.collectionId, ...input });
  }
}
