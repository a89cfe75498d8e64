import type { Principal } from '@action-platform/contracts/authority';
import { setQuota, showQuota } from '@action-platform/contracts/calls';
import {
  archiveRecord,
  createCollection,
  deleteRecord,
  getRecord,
  getRecordHistory,
  listRecords,
  type Operation,
  patchRecord,
  pushRecord,
  replaceRecord,
  restoreRecord,
} from '@action-platform/contracts/operations';
import { ExactJson, stringifyJson } from '@action-platform/json';
import { aMember, anOwner, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect } from '@jest/globals';
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
    return this.#call(pushRecord, { payload: new ExactJson(payload), ...more }, as);
  }

  /** Pushes a Record and returns its id. */
  async pushed(payload = '{"n":1}', more: object = {}): Promise<string> {
    return (await this.push(payload, more)).result.record.id;
  }

  get(record_id: string, as = this.owner) {
    return this.#call(getRecord, { record_id }, as);
  }

  history(record_id: string, more: object = {}, as = this.owner) {
    return this.#call(getRecordHistory, { record_id, ...more }, as);
  }

  list(more: object = {}, as = this.owner) {
    return this.#call(listRecords, more, as);
  }

  replace(record_id: string, payload: string, more: object = {}, as = this.owner) {
    return this.#call(replaceRecord, { record_id, payload: new ExactJson(payload), ...more }, as);
  }

  patch(record_id: string, patch: string, more: object = {}, as = this.owner) {
    return this.#call(patchRecord, { record_id, patch: new ExactJson(patch), ...more }, as);
  }

  archive(record_id: string, more: object = {}, as = this.owner) {
    return this.#call(archiveRecord, { record_id, ...more }, as);
  }

  restore(record_id: string, as = this.owner) {
    return this.#call(restoreRecord, { record_id }, as);
  }

  delete(record_id: string, as = this.owner) {
    return this.#call(deleteRecord, { record_id }, as);
  }

  setQuota(bytes: number) {
    return this.platform.callAs('admin', setQuota, { workspace: this.owner.workspaceId, bytes });
  }

  /** Has a push refused, so that the next write takes two commands: the reservation and the commit. */
  async runShortOfRoom(): Promise<void> {
    await this.setQuota(1);
    expect((await this.push('{"a":1}')).error.code).toBe('record_store_quota_exceeded');
    await this.setQuota(1000);
  }

  /** The stored bytes that `show_quota` reports. */
  async storedBytes(): Promise<number> {
    const { workspaceId } = this.owner;
    return (await this.platform.callAs('admin', showQuota, { workspace: workspaceId })).stored_bytes;
  }

  #call<Input extends Operation['input'], Output extends Operation['output']>(
    operation: Operation<Input, Output>,
    input: object,
    as: Principal,
  ) {
    return this.platform.call(operation, as, stringifyJson({ collection_id: this.collectionId, ...input }));
  }
}
