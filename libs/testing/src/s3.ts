import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Radosgw, startRadosgw } from '@action-platform/local-servers';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { makeTestFolder } from './test-folder.ts';

const endpoint = process.env.S3_TEST_ENDPOINT;
/** The number of requests at once. */
const PARALLEL = 16;

/**
 * A bucket of its own on a real S3 server: the one at S3_TEST_ENDPOINT, with the credentials in AWS_ACCESS_KEY_ID and
 * AWS_SECRET_ACCESS_KEY, or else a radosgw.
 */
export class S3TestBucket {
  readonly name = `action-platform-test-${randomUUID()}`;
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  /** Undefined for the server at S3_TEST_ENDPOINT. */
  readonly #radosgw: Radosgw | undefined;
  readonly #client: S3Client;
  readonly #folder: string;

  private constructor(radosgw: Radosgw | undefined, folder: string) {
    this.#radosgw = radosgw;
    this.#folder = folder;
    this.url = radosgw?.url ?? endpoint!;
    this.key = radosgw === undefined ? process.env.AWS_ACCESS_KEY_ID! : 'test-key';
    this.secret = radosgw === undefined ? process.env.AWS_SECRET_ACCESS_KEY! : 'SECRET-test';
    const credentials = { accessKeyId: this.key, secretAccessKey: this.secret };
    const region = process.env.AWS_REGION ?? 'us-east-1';
    this.#client = new S3Client({ endpoint: this.url, forcePathStyle: true, region, credentials });
  }

  static async create(): Promise<S3TestBucket> {
    const folder = makeTestFolder();
    const radosgw = endpoint === undefined ? await startRadosgw(join(folder, 'radosgw')) : undefined;
    const bucket = new S3TestBucket(radosgw, folder);
    const keys = [`--access-key=${bucket.key}`, `--secret=${bucket.secret}`];
    await radosgw?.administer('user', 'create', '--uid=test', '--display-name=Test', ...keys);
    await bucket.#client.send(new CreateBucketCommand({ Bucket: bucket.name }));
    return bucket;
  }

  /** Creates objects with a content, or new versions of them. */
  async put(keys: readonly string[], content = 'x'): Promise<void> {
    const object = { Bucket: this.name, Body: content, ContentLength: Buffer.byteLength(content) };
    await inParallel(keys, (Key) => this.#client.send(new PutObjectCommand({ ...object, Key })));
  }

  /** Deletes objects, or in a bucket with versions adds delete markers. */
  async delete(keys: readonly string[]): Promise<void> {
    await inParallel(keys, (Key) => this.#client.send(new DeleteObjectCommand({ Bucket: this.name, Key })));
  }

  /** Begins to keep versions. */
  async keepVersions(): Promise<void> {
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await this.#client.send(new PutBucketVersioningCommand({ Bucket: this.name, VersioningConfiguration }));
  }

  /** Removes the latest version of an object: a delete marker, or the present content. */
  async undo(key: string): Promise<void> {
    const found = await this.#client.send(new ListObjectVersionsCommand({ Bucket: this.name, Prefix: key }));
    const latest = [...(found.DeleteMarkers ?? []), ...(found.Versions ?? [])].find(
      ({ IsLatest }) => IsLatest,
    );
    const version = { Bucket: this.name, Key: key, VersionId: latest?.VersionId };
    await this.#client.send(new DeleteObjectCommand(version));
  }

  async stop(): Promise<void> {
    if (this.#radosgw === undefined) await this.#remove();
    await this.#radosgw?.stop();
    this.#client.destroy();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #remove(): Promise<void> {
    const Bucket = this.name;
    for (let isTruncated = true; isTruncated; ) {
      const page = await this.#client.send(new ListObjectVersionsCommand({ Bucket }));
      await inParallel([...(page.DeleteMarkers ?? []), ...(page.Versions ?? [])], ({ Key, VersionId }) =>
        this.#client.send(new DeleteObjectCommand({ Bucket, Key, VersionId })),
      );
      isTruncated = page.IsTruncated === true;
    }
    await this.#client.send(new DeleteBucketCommand({ Bucket }));
  }
}

async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const next = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, next));
}
