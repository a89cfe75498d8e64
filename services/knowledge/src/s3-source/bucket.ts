import { WrongConfiguration } from '@action-platform/contracts';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';

/** The limit for a page with the repetitions of its request, in milliseconds. */
export const PAGE_WITHIN_MS = 30_000;
const CONNECT_WITHIN_MS = 5_000;
/** Servers that are no AWS mostly ignore the region, but the signature contains one. */
const REGION_OF_OTHERS = 'us-east-1';

/** The variables of a bucket. */
export interface BucketConfig {
  readonly FILES_S3_BUCKET: string;
  readonly FILES_S3_PREFIX?: string | undefined;
  readonly FILES_S3_ENDPOINT?: string | undefined;
  readonly FILES_S3_REGION?: string | undefined;
  readonly FILES_S3_PATH_STYLE: boolean;
}

/** A bucket cannot be listed. Its `code` is that of S3 (`AccessDenied`), the SDK or the network (`ECONNREFUSED`). */
export class BucketUnlisted extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`the bucket cannot be listed: ${code}`);
    this.code = code;
  }
}

/** The keys below a prefix of a bucket. Requests are signed by the credential chain of the SDK. */
export class Bucket {
  readonly #client: S3Client;
  readonly #name: string;
  readonly #prefix: string;

  private constructor(client: S3Client, name: string, prefix: string) {
    this.#client = client;
    this.#name = name;
    this.#prefix = prefix;
  }

  /** Sends no request. @throws WrongConfiguration without a region */
  static async open(config: BucketConfig): Promise<Bucket> {
    const { FILES_S3_ENDPOINT: endpoint, FILES_S3_REGION: region } = config;
    const client = new S3Client({
      forcePathStyle: config.FILES_S3_PATH_STYLE,
      requestHandler: { connectionTimeout: CONNECT_WITHIN_MS },
      ...(endpoint !== undefined && { endpoint, region: REGION_OF_OTHERS }),
      ...(region !== undefined && { region }),
    });
    await client.config.region().catch(() => {
      throw new WrongConfiguration([
        'FILES_S3_REGION is required, as neither AWS_REGION nor a profile is set',
      ]);
    });
    return new Bucket(client, config.FILES_S3_BUCKET, config.FILES_S3_PREFIX ?? '');
  }

  /**
   * Streams the keys in pages, without the prefix and in the order of their UTF-8 bytes; undefined for a key that is not UTF-8.
   * It ends only when the server says that the listing is whole: a missing key means a removed object.
   *
   * @throws BucketUnlisted for a failed request, and for a listing that is neither in order nor whole.
   */
  async *keys(signal: AbortSignal): AsyncGenerator<(string | undefined)[]> {
    let last: Buffer | undefined;
    for (let token: string | undefined; ; ) {
      const page = await this.#page(token, signal);
      const keys: (string | undefined)[] = [];
      for (const { Key = '' } of page.Contents ?? []) {
        const key = page.EncodingType === 'url' ? decoded(Key) : Key;
        if (key === undefined) keys.push(key);
        else {
          const bytes = Buffer.from(key);
          const order = last === undefined ? 1 : Buffer.compare(bytes, last);
          // S3's directory buckets have no order, which the comparison with the listing depends on.
          if (order < 0) throw new BucketUnlisted('KeysOutOfOrder');
          // Some servers repeat the last key of a page in the next one.
          if (order > 0) keys.push(key.slice(this.#prefix.length));
          last = bytes;
        }
      }
      yield keys;
      if (page.IsTruncated !== true) return;
      const { NextContinuationToken: next = '' } = page;
      if (next === '' || next === token) throw new BucketUnlisted('NoContinuationToken');
      token = next;
    }
  }

  async #page(token: string | undefined, signal: AbortSignal) {
    const command = new ListObjectsV2Command({
      Bucket: this.#name,
      Prefix: this.#prefix,
      ContinuationToken: token,
      // XML 1.0 has no form for most control characters.
      EncodingType: 'url',
    });
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(PAGE_WITHIN_MS)]);
    try {
      return await this.#client.send(command, { abortSignal });
    } catch (error) {
      throw new BucketUnlisted(codeOf(error));
    }
  }
}

/** The key of an answer with `encoding-type=url`: some servers encode a blank as `+`, others as `%20`. */
function decoded(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The code of a failed request. A message may quote a key id or an address, a code does not. */
function codeOf(error: unknown): string {
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  if (name === 'AbortError') return 'TimeoutError';
  const found = String(name === undefined || name === 'Error' ? code : name);
  return /^\w{1,60}$/.test(found) ? found : 'UnknownError';
}
