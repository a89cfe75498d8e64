import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { isDefect } from '@action-platform/contracts/errors';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { type FileSource, SourceUnlisted } from './file-source.ts';
import { readXml } from './read-xml.ts';

/** The limit for a page with the repetitions of its request, in milliseconds. */
const PAGE_WITHIN_MS = 30_000;
const CONNECT_WITHIN_MS = 5_000;
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
 * The configured bucket, whose keys are those without the prefix. The SDK's credential chain signs the requests. It does not connect
 * yet.
 *
 * @throws WrongConfiguration without a region
 */
export async function openBucket(config: BucketConfig): Promise<FileSource> {
  const { FILES_S3_BUCKET: Bucket, FILES_S3_PREFIX: Prefix = '', FILES_S3_ENDPOINT: endpoint } = config;
  const region = config.FILES_S3_REGION ?? (endpoint === undefined ? undefined : REGION_OF_OTHERS);
  const client = new S3Client({
    forcePathStyle: config.FILES_S3_PATH_STYLE,
    requestHandler: { connectionTimeout: CONNECT_WITHIN_MS },
    streamCollector: readXml,
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
      throw isDefect(error) ? error : new SourceUnlisted(codeOf(error));
    });
  }

  return {
    async *keys(signal) {
      for (let token: string | undefined; ; ) {
        const page = await readPage(token, signal);
        for (const { Key = '' } of page.Contents ?? [])
          yield (page.EncodingType === 'url' ? decoded(Key) : Key).slice(Prefix.length);
        if (page.IsTruncated !== true) return;
        const { NextContinuationToken: next = '' } = page;
        if (next === '' || next === token) throw new SourceUnlisted('NoContinuationToken');
        token = next;
      }
    },
  };
}

/**
 * The key of an answer with `encoding-type=url`: some servers encode a blank as `+`, others as `%20`. Empty for a key that is not
 * UTF-8.
 */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

/** The code of a failed request. Its message is not for logs: it may quote a key id or an address. */
function codeOf(error: unknown): string {
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  if (name === 'AbortError') return 'TimeoutError';
  const found = String(name === undefined || name === 'Error' ? code : name);
  return /^\w{1,60}$/.test(found) ? found : 'UnknownError';
}
