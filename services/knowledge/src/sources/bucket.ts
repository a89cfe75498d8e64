import type { Readable } from 'node:stream';
import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { isDefect } from '@action-platform/contracts/errors';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { FileChanged, type FileSource, inTime, SourceUnlisted, SourceUnread } from './file-source.ts';
import { readXml } from './read-xml.ts';

const CONNECT_WITHIN_MS = 5_000;
/** The codes of a missing object. */
const missing = new Set(['NoSuchKey', 'NotFound']);
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
 * The configured bucket, whose keys are those without the prefix. The SDK's credential chain signs the requests.
 * `openBucket` does not connect yet.
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
    const abortSignal = inTime(signal);
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

    async stat(key, signal) {
      const abortSignal = inTime(signal);
      const command = new HeadObjectCommand({ Bucket, Key: Prefix + key });
      const found = await client.send(command, { abortSignal }).catch(unlessMissing);
      if (found === undefined) {
        // An answer to HEAD has no body, so the code of a missing bucket is that of a missing object. The listing names a missing bucket.
        const page = new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1, EncodingType: 'url' });
        await client.send(page, { abortSignal }).catch(refuse);
        return undefined;
      }
      const { ContentLength: bytes, ETag: version } = found;
      if (bytes === undefined || version === undefined) throw new SourceUnread('NoETag');
      return { bytes, version };
    },

    async read(key, { bytes, version: IfMatch }, abortSignal) {
      const command = new GetObjectCommand({ Bucket, Key: Prefix + key, IfMatch });
      try {
        const { Body } = await client.send(command, { abortSignal });
        const content = new Uint8Array(bytes);
        let length = 0;
        for await (const chunk of Body as Readable) {
          if (length + chunk.length > bytes) throw new FileChanged();
          content.set(chunk, length);
          length += chunk.length;
        }
        if (length < bytes) throw new FileChanged();
        return content;
      } catch (error) {
        if (isDefect(error) || error instanceof FileChanged) throw error;
        const code = codeOf(error);
        throw code === 'PreconditionFailed' || missing.has(code) ? new FileChanged() : new SourceUnread(code);
      }
    },
  };
}

/** Returns undefined for the error of a missing object. @throws SourceUnread for any other */
function unlessMissing(error: unknown): undefined {
  if (isDefect(error) || !missing.has(codeOf(error))) refuse(error);
}

/** @throws SourceUnread for a failed request */
function refuse(error: unknown): never {
  throw isDefect(error) ? error : new SourceUnread(codeOf(error));
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

/** The code of a failed request. Its message is not for logs, because the message may quote a key id or an address. */
function codeOf(error: unknown): string {
  const { name, code, $metadata } = error as {
    readonly name?: string;
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  if (name === 'AbortError') return 'TimeoutError';
  // An answer to HEAD has no body, and so no code.
  const isUnknown = name === undefined || name === 'Error' || name === 'Unknown';
  const found = String(isUnknown ? (code ?? $metadata?.httpStatusCode) : name);
  return /^\w{1,60}$/.test(found) ? found : 'UnknownError';
}
