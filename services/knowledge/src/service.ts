import { openIndexed } from '@action-platform/mongo';
import type { ServiceDefinition } from '@action-platform/service-host';
import { gauge } from '@action-platform/telemetry';
import { serveFileCommands } from './admin/file-commands.ts';
import type { Dependencies } from './dependencies.ts';
import { Files } from './files/files.ts';
import { storedFiles } from './files/stored-file.ts';
import { serveGetFile } from './operations/get-file.ts';
import { serveListVisibleFiles } from './operations/list-visible-files.ts';
import { knowledgeConfig, openSources } from './sources/open-sources.ts';
import { storedDocuments } from './stored-documents.ts';

/** Knowledge: the files that callers can see, and their sources. */
export const knowledge: ServiceDefinition<typeof knowledgeConfig> = {
  name: 'knowledge',
  config: knowledgeConfig,
  start: async ({ config, log, openDatabase }) => {
    const { db } = await openDatabase();
    const files = new Files(await openIndexed(db, storedFiles));
    const sources = await openSources(config, { files, db, log });
    const kept = () => sources.filter(({ isListingKept }) => isListingKept);
    gauge('files.listing_kept', () => (kept().length > 0 ? 1 : 0));
    for (const source of sources) source.start();
    const dependencies: Dependencies = { files, sources };
    return {
      calls: [
        serveGetFile(dependencies),
        serveListVisibleFiles(dependencies),
        ...serveFileCommands(dependencies),
      ],
      stored: { db, documents: storedDocuments },
      missing: async () => ({ needed: [], other: kept().map(({ variable }) => `files of ${variable}`) }),
      stopAccepting: async () => {
        await Promise.all(sources.map((source) => source.stop()));
      },
    };
  },
};
