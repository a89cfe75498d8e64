import type { ServiceDefinition } from '@action-platform/service-host';
import { gauge } from '@action-platform/telemetry';
import { serveAddFile } from './admin/add-file.ts';
import { serveForgetFiles } from './admin/forget-files.ts';
import { serveListFiles } from './admin/list-files.ts';
import { knowledgeConfig } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { DirectorySource } from './directory-source/directory-source.ts';
import { Files } from './files/files.ts';
import { openFiles } from './files/stored-file.ts';
import { serveListVisibleFiles } from './operations/list-visible-files.ts';

/** Knowledge: the files that callers can see, and their sources. */
export const knowledge: ServiceDefinition<typeof knowledgeConfig> = {
  name: 'knowledge',
  config: knowledgeConfig,
  start: async ({ config, log, openDatabase }) => {
    const { db } = await openDatabase();
    const files = new Files(await openFiles(db));
    const source =
      config.FILES_DIR === undefined
        ? undefined
        : new DirectorySource({
            directory: config.FILES_DIR,
            rescanMs: config.FILES_RESCAN_SECONDS * 1000,
            files,
            log,
          });
    const isListingKept = () => source?.isListingKept === true;
    gauge('files.listing_kept', () => (isListingKept() ? 1 : 0));
    source?.start();
    const dependencies: Dependencies = { files, source };
    return {
      operations: [serveListVisibleFiles(dependencies)],
      calls: [serveAddFile(dependencies), serveListFiles(dependencies), serveForgetFiles(dependencies)],
      missing: async () => ({ needed: [], other: isListingKept() ? ['files of FILES_DIR'] : [] }),
      stopAccepting: async () => await source?.stop(),
    };
  },
};
