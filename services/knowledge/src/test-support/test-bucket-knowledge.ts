import { refreshFiles } from '@action-platform/contracts';
import type { TestProcess } from '@action-platform/testing';
import { TestKnowledge } from './test-knowledge.ts';
import { until } from './until.ts';

/** The knowledge service on a bucket, in processes of its own. Scans begin only at the start and on request. */
export class TestBucketKnowledge extends TestKnowledge {
  /** Starts a replica on the bucket `files` of a server. */
  async startOn(url: string, environment: Readonly<Record<string, string>> = {}): Promise<TestProcess> {
    return await this.platform.spawn('knowledge', {
      FILES_S3_BUCKET: 'files',
      FILES_S3_ENDPOINT: url,
      FILES_S3_PATH_STYLE: 'true',
      FILES_S3_RESCAN_SECONDS: '86400',
      AWS_ACCESS_KEY_ID: 'test-key',
      AWS_SECRET_ACCESS_KEY: 'SECRET-test',
      ...environment,
    });
  }

  /** Runs the operator's command `files refresh`, and resolves when the requested pass has ended. */
  async pass(): Promise<void> {
    await this.platform.callAs('admin', refreshFiles, {});
    await this.passed();
  }

  /** Resolves when the pass under way or due has ended. */
  async passed(): Promise<void> {
    const sources = await this.#sources();
    await until(
      () => sources.findOne({ _id: 's3' }),
      (source) => source?.lease === undefined && (source?.due_at ?? 0) > new Date(),
    );
  }

  /** Ends the time of the lease of a killed replica. */
  async endLease(): Promise<void> {
    await (await this.#sources()).updateOne({ _id: 's3' }, { $set: { 'lease.until': new Date(0) } });
  }

  async #sources() {
    const { db } = await this.platform.database('knowledge');
    return db.collection<{ _id: string; due_at?: Date; lease?: object }>('sources');
  }
}

/** The messages that a process has logged about its bucket, with the code or the count of each. */
export function bucketLines({ lines }: TestProcess): string[] {
  return lines
    .map((line) => JSON.parse(line) as { msg: string; code?: string; count?: number })
    .filter(({ msg }) => msg.includes('FILES_S3_BUCKET'))
    .map(({ msg, code, count }) => [msg, code ?? count].filter((part) => part !== undefined).join(': '));
}
