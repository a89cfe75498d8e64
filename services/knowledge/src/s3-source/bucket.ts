import { WrongConfiguration } from '@action-platform/contracts';
import { readAtMost } from '@action-platform/service-host';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { compareByBytes } from '../files/byte-order.ts';

/** The limit for a page with the repetitions of its request, in milliseconds. */
export const PAGE_WITHIN_MS = 30_000;
const CONNECT_WITHIN_MS = 5_000;
/** The most bytes of a page: 1000 keys of 1024 bytes, each written as three, take 3 MiB. */
const PAGE_BYTES = 8 * 1024 * 1024;
/** Servers other than Amazon's mostly ignore the region, but every signature contains one. */
const REGION_OF_OTHERS = 'us-east-1';

/** The variables of a bucket. */
export interface BucketConfig {
  readonly FILES_S3_BUCKET: string;
  readonly FILES_S3_PREFIX?: string | undefined;
  readonly FILES_S3_ENDPOINT?: string | undefined;
  readonly FILES_S3_REGION?: string | undefined;
  readonly FILES_S3_PATH_STYLE: boolean;
}

/**
 * Streams the keys of a bucket in pages, without the prefix and in the order of their UTF-8 bytes; undefined for a key that is not
 * UTF-8. It ends only when the server says that the listing is whole, because a missing key means a removed object.
 *
 * @throws BucketUnlisted for a failed request, and for a listing that is not in order or not whole.
 */
export type BucketKeys = (signal: AbortSignal) => AsyncGenerator<(string | undefined)[]>;

/** A bucket cannot be listed. The code is that of S3 (`AccessDenied`), the SDK or the network (`ECONNREFUSED`). */
export class BucketUnlisted extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`the bucket cannot be listed: ${code}`);
    this.code = code;
  }
}

/**
 * The keys of the configured bucket. The SDK's credential chain signs the requests.
 *
 * @throws WrongConfiguration without a region
 */
export async function openBucket(config: BucketConfig): Promise<BucketKeys> {
  const { FILES_S3_BUCKET: Bucket, FILES_S3_PREFIX: Prefix = '', FILES_S3_ENDPOINT: endpoint } = config;
  const region = config.FILES_S3_REGION ?? (endpoint === undefined ? undefined : REGION_OF_OTHERS);
  const client = new S3Client({
    forcePathStyle: config.FILES_S3_PATH_STYLE,
    requestHandler: { connectionTimeout: CONNECT_WITHIN_MS },
    streamCollector: (body) => readAtMost(PAGE_BYTES, body),
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
  });
  await client.config.region().catch(() => {
    throw new WrongConfiguration(['FILES_S3_REGION is required, as neither AWS_REGION nor a profile is set']);
  });

  async function readPage(ContinuationToken: string | undefined, signal: AbortSignal) {
    // XML 1.0 has no form for most control characters.
    const command = new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken, EncodingType: 'url' });
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(PAGE_WITHIN_MS)]);
    return await client.send(command, { abortSignal }).catch((error: unknown) => {
      throw new BucketUnlisted(codeOf(error));
    });
  }

  return async function* keys(signal) {
    let last = '';
    for (let token: string | undefined; ; ) {
      const page = await readPage(token, signal);
      const keys: (string | undefined)[] = [];
      for (const { Key = '' } of page.Contents ?? []) {
        const key = page.EncodingType === 'url' ? decoded(Key) : Key;
        if (key !== undefined) {
          const order = compareByBytes(key, last);
          // The directory buckets of S3 have no order, which the comparison with the listing depends on.
          if (order < 0) throw new BucketUnlisted('KeysOutOfOrder');
          // Some servers repeat the last key of a page in the next one.
          if (order === 0) continue;
          last = key;
        }
        keys.push(key?.slice(Prefix.length));
      }
      yield keys;
      if (page.IsTruncated !== true) return;
      const { NextContinuationToken: next = '' } = page;
      if (next === '' || next === token) throw new BucketUnlisted('NoContinuationToken');
      token = next;
    }
  };
}

/** The key of an answer with `encoding-type=url`: some servers encode a blank as `+`, others as `%20`. */
function decoded(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The code of a failed request. Its message is not for logs: it may quote a key id or an address. */
function codeOf(error: unknown): string {
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  if (name === 'AbortError') return 'TimeoutError';
  const found = String(name === undefined || name === 'Error' ? code : name);
  return /^\w{1,60}$/.test(found) ? found : 'UnknownError';
}
