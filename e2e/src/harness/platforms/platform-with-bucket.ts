import { fetchRadosgw } from '@action-platform/container';
import { S3TestBucket } from '@action-platform/testing/s3';
import { LocalPlatform } from '../../local-platform.ts';

/** The pause between two scans of the bucket, in seconds. */
const RESCAN = '5';

/** A local platform whose files are in a bucket of a real S3 server, too: the one at S3_TEST_ENDPOINT, or else a radosgw that it gets. */
export class PlatformWithBucket extends LocalPlatform {
  #bucket: S3TestBucket | undefined;

  get bucket(): S3TestBucket {
    return this.#bucket!;
  }

  override async start() {
    if (process.env.S3_TEST_ENDPOINT === undefined) await fetchRadosgw();
    this.#bucket = await S3TestBucket.create();
    Object.assign(this.environment, {
      ...{ FILES_S3_BUCKET: this.bucket.name, FILES_S3_ENDPOINT: this.bucket.url },
      ...{ FILES_S3_PATH_STYLE: 'true', FILES_S3_RESCAN_SECONDS: RESCAN },
      ...{ AWS_ACCESS_KEY_ID: this.bucket.key, AWS_SECRET_ACCESS_KEY: this.bucket.secret },
    });
    return await super.start();
  }

  override async remove(): Promise<void> {
    await super.remove();
    await this.#bucket?.stop();
  }
}
