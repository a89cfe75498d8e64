import { resolve } from 'node:path';
import { ownVariables, WrongConfiguration } from '@action-platform/contracts/configuration';
import { commonConfig, type Logger } from '@action-platform/service-host';
import type { Db } from 'mongodb';
import type { z } from 'zod';
import type { Files } from '../files/files.ts';
import type { SourceKind } from '../files/stored-file.ts';
import type { FileSource } from './file-source.ts';
import { Folder } from './folder.ts';
import { FollowedSource } from './followed-source.ts';
import { SourceState } from './source-state.ts';

/** The environment variables of the knowledge service. */
export const knowledgeConfig = commonConfig.extend(ownVariables.knowledge.shape);

/** The sources that the configuration names, not started. @throws WrongConfiguration */
export async function openSources(
  config: z.output<typeof knowledgeConfig>,
  { files, db, log }: { readonly files: Files; readonly db: Db; readonly log: Logger },
): Promise<FollowedSource[]> {
  const { FILES_DIR, FILES_S3_BUCKET } = config;
  const follow = async (kind: SourceKind, variable: string, source: FileSource, rescanSeconds: number) => {
    const state = await SourceState.open(db, kind);
    sources.push(
      new FollowedSource({ kind, variable, source, state, files, log, rescanMs: rescanSeconds * 1000 }),
    );
  };
  const sources: FollowedSource[] = [];
  if (FILES_DIR !== undefined)
    await follow('directory', 'FILES_DIR', new Folder(resolve(FILES_DIR)), config.FILES_RESCAN_SECONDS);
  if (FILES_S3_BUCKET !== undefined) {
    // Loaded with a bucket alone, because the SDK takes 30 MiB of memory.
    const { openBucket } = await import('./bucket.ts');
    const bucket = await openBucket({ ...config, FILES_S3_BUCKET });
    await follow('s3', 'FILES_S3_BUCKET', bucket, config.FILES_S3_RESCAN_SECONDS);
  } else {
    const idle = (['FILES_S3_PREFIX', 'FILES_S3_ENDPOINT', 'FILES_S3_REGION'] as const).filter(
      (name) => config[name] !== undefined,
    );
    if (idle.length > 0) throw new WrongConfiguration([`${idle[0]}: FILES_S3_BUCKET is not set`]);
  }
  return sources;
}
