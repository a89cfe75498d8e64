import { WrongConfiguration } from '@action-platform/contracts';
import type { Logger } from '@action-platform/service-host';
import type { Db } from 'mongodb';
import type { z } from 'zod';
import type { knowledgeConfig } from './config.ts';
import { DirectorySource } from './directory-source/directory-source.ts';
import type { Files } from './files/files.ts';
import type { FollowedSource } from './files/followed-source.ts';

/** The sources that the configuration names, not started. @throws WrongConfiguration */
export async function openSources(
  config: z.output<typeof knowledgeConfig>,
  { files, db, log }: { readonly files: Files; readonly db: Db; readonly log: Logger },
): Promise<FollowedSource[]> {
  const sources: FollowedSource[] = [];
  const { FILES_DIR: directory, FILES_S3_BUCKET: bucket } = config;
  if (directory !== undefined) {
    const rescanMs = config.FILES_RESCAN_SECONDS * 1000;
    sources.push(new DirectorySource({ directory, rescanMs, files, log }));
  }
  if (bucket !== undefined) {
    // Loaded with a bucket alone, because the SDK takes 30 MiB of memory.
    const { openS3Source } = await import('./s3-source/s3-source.ts');
    sources.push(await openS3Source({ ...config, FILES_S3_BUCKET: bucket }, { files, db, log }));
  } else {
    const idle = (['FILES_S3_PREFIX', 'FILES_S3_ENDPOINT', 'FILES_S3_REGION'] as const).filter(
      (name) => config[name] !== undefined,
    );
    if (idle.length > 0) throw new WrongConfiguration([`${idle[0]}: FILES_S3_BUCKET is not set`]);
  }
  return sources;
}
