import type { ServiceDefinition } from '@action-platform/service-host';
import { serveAddFile } from './admin/add-file.ts';
import { serveListFiles } from './admin/list-files.ts';
import { knowledgeConfig } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { DirectorySource } from './directory-source/directory-source.ts';
import { Files } from './files/files.ts';
import { openFiles } from './files/stored-file.ts';
import { serveListVisibleFiles } from './operations/list-visible-files.ts';

/** The files that callers can see, and the sources they come from. */
export const knowledge: ServiceDefinition<typeof knowledgeConfig> = {
  name: 'knowledge',
  config: knowledgeConfig,
  start: async ({ config, log, openDatabase }) => {
    const { db } = await openDatabase();
    const files = new Files(await openFiles(db));
    const dependencies: Dependencies = { files };
    const source =
      config.FILES_DIR === undefined
        ? undefined
        : new DirectorySource({
            directory: config.FILES_DIR,
            rescanMs: config.FILES_RESCAN_SECONDS * 1000,
            files,
            log,
          });
    source?.start();
    return {
      operations: [serveListVisibleFiles(dependencies)],
      calls: [serveAddFile(dependencies), serveListFiles(dependencies)],
      stopAccepting: async () => await source?.stop(),
    };
  },
};
