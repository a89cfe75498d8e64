import { AUDIT } from '@action-platform/contracts/bus';
import { openIndexed } from '@action-platform/mongo';
import { Cursors } from '@action-platform/sealing';
import { keepStream, type ServiceDefinition } from '@action-platform/service-host';
import { serveVerifyAudit } from './admin/verify.ts';
import { Appender } from './blocks/append.ts';
import { Seals } from './blocks/seals.ts';
import { openChains } from './blocks/stored-block.ts';
import { auditConfig } from './config.ts';
import { storedCounts } from './counts/stored-counts.ts';
import type { Dependencies } from './dependencies.ts';
import { Intake } from './intake/intake.ts';
import { openProgress } from './intake/progress.ts';
import { SetAside } from './intake/set-aside.ts';
import { serveCountEntries } from './operations/count-entries.ts';
import { serveListEntries } from './operations/list-entries.ts';
import { startRetention } from './retention/retention.ts';
import { serveExportEntries } from './routes/export-entries.ts';
import { serveVerifyEntries } from './routes/verify-entries.ts';
import { hasSuccess } from './search/has-success.ts';
import { storedDocuments } from './stored-documents.ts';

/** The log of calls that wrote or were refused. */
export const audit: ServiceDefinition<typeof auditConfig> = {
  name: 'audit',
  config: auditConfig,
  start: async (tools) => {
    const { config, bus, log, sealKeys } = tools;
    keepStream(tools, AUDIT, config.AUDIT_STREAM_MAX_BYTES);
    const { db } = await tools.openDatabase();
    const chains = await openChains(db, new Seals(sealKeys), config.AUDIT_RETENTION_DAYS);
    const intake = new Intake({
      bus,
      log,
      chains,
      appender: new Appender(chains),
      setAside: await SetAside.open(db, chains.retentionMs),
      progress: await openProgress(db),
      windowMs: config.AUDIT_WINDOW_MS,
    });
    intake.start();
    const counts = await openIndexed(db, storedCounts);
    const retention = startRetention({ chains, counts, log });
    const dependencies: Dependencies = {
      bus,
      chains,
      counts,
      cursors: new Cursors(sealKeys),
      limits: config,
    };
    return {
      calls: [
        serveListEntries(dependencies),
        serveCountEntries(dependencies),
        serveExportEntries(dependencies),
        serveVerifyEntries(dependencies),
        serveVerifyAudit(dependencies),
      ],
      stored: {
        db,
        documents: storedDocuments,
        isStored: (workspaceId, timed) => hasSuccess(chains, workspaceId, timed),
      },
      stopAccepting: async () => {
        await Promise.all([intake.stop(), retention.stop()]);
      },
    };
  },
};
