import { BucketStandIn } from './bucket-stand-in.ts';
import { FollowedKnowledge } from './followed-knowledge.ts';

/** The knowledge service on a bucket of a stand-in. */
export class BucketKnowledge extends FollowedKnowledge {
  readonly variable = 'FILES_S3_BUCKET';
  readonly hiddenCode = 'NoSuchBucket';
  readonly bucket = new BucketStandIn();

  get environment(): Readonly<Record<string, string>> {
    return bucketEnvironment(this.bucket.url);
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.bucket.stop();
  }

  async set(keys: readonly string[]): Promise<void> {
    this.bucket.keys = keys;
  }

  async put(key: string, content: string | Uint8Array): Promise<void> {
    this.bucket.contents.set(key, Buffer.from(content));
  }

  async hide(): Promise<void> {
    const refusal = { status: 404, code: 'NoSuchBucket' };
    this.bucket.failureOf = () => refusal;
    this.bucket.onObject = () => refusal;
  }

  async show(): Promise<void> {
    this.bucket.failureOf = () => undefined;
    this.bucket.onObject = () => undefined;
  }
}

/** The variables of a replica on the bucket `files` of a server. */
export const bucketEnvironment = (url: string) => ({
  FILES_S3_BUCKET: 'files',
  FILES_S3_ENDPOINT: url,
  FILES_S3_PATH_STYLE: 'true',
  FILES_S3_RESCAN_SECONDS: '86400',
  AWS_ACCESS_KEY_ID: 'test-key',
  AWS_SECRET_ACCESS_KEY: 'SECRET-test',
});
