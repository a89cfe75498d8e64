import type { AuditEntry } from '@action-platform/contracts/audit';
import type { AuditFilters } from '@action-platform/contracts/operations';
import { type AuditExportFormat, auditRoutes } from '@action-platform/contracts/resources';
import {
  type CallContext,
  requireOwner,
  type ServedCall,
  serveMemberRoute,
  TextStream,
} from '@action-platform/service-host';
import { isWanted } from '../blocks/terms.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Found } from '../search/newest-first.ts';
import { search } from '../search/search.ts';
import { csvHeader, csvLine } from './csv.ts';

/** How many entries one query reads: its commands together have a time limit. */
const READ_TOGETHER = 20_000;
/** The length of a part of the text, in characters. */
const PART_LENGTH = 32 * 1024;

const formats: Readonly<Record<AuditExportFormat, { header: string; line: (entry: AuditEntry) => string }>> =
  {
    ndjson: { header: '', line: (entry) => `${JSON.stringify(entry)}\n` },
    csv: { header: csvHeader, line: csvLine },
  };

/** `audit.export_entries`: all entries that match as text, in parts, so that any number of them takes the same memory. */
export function serveExportEntries({ bus, chains }: Dependencies): ServedCall {
  return serveMemberRoute(
    auditRoutes.export,
    requireOwner(bus, { whileSuspended: true }),
    async ({ format, ...filters }, context) => {
      const { workspaceId } = context.session;
      return new TextStream(textOf(allEntries(chains, workspaceId, filters, context), filters, format));
    },
  );
}

async function* textOf(
  all: AsyncIterable<Found>,
  filters: AuditFilters,
  format: AuditExportFormat,
): AsyncGenerator<string> {
  const { header, line } = formats[format];
  let part = header;
  for await (const { entry } of all) {
    if (isWanted(entry, filters)) part += line(entry);
    if (part.length < PART_LENGTH) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

async function* allEntries(
  chains: Dependencies['chains'],
  workspaceId: string,
  filters: AuditFilters,
  context: CallContext,
): AsyncGenerator<Found> {
  let after: Found | undefined;
  for (;;) {
    let read = 0;
    for await (const found of search(chains, { workspaceId, filters, after }, context)) {
      yield found;
      after = found;
      if (++read === READ_TOGETHER) break;
    }
    if (read < READ_TOGETHER) return;
  }
}
