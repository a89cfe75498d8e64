import { exportCall, setQuota } from '@action-platform/contracts/calls';
import { noSuchWorkspace } from '@action-platform/contracts/errors';
import { type ServiceName, services } from '@action-platform/contracts/services';
import { z } from 'zod';
import type { Command } from './command.ts';
import { ExportFile } from './export-file.ts';

const input = z.object({
  workspace: setQuota.input.shape.workspace,
  to: z
    .string()
    .min(1)
    .meta({
      description: 'The file to write; a begun one of this Workspace is continued.',
      examples: ['acme.ndjson'],
    }),
});

/** The step after the last service in the progress of an export. */
const END = 'end';

/** The last line, by which a reader knows that none is missing. */
function endLine(lines: number): string {
  return JSON.stringify({ type: 'end', data: { lines } });
}

/** The services answer in pages; the command writes them to the file one after the other. */
export const exportWorkspace: Command<typeof input> = {
  name: 'workspace export',
  summary:
    'Writes all that the services store of a Workspace, except secrets, to a file of JSON lines, also of a deleted one before its erasure (docs/data.md). An interrupted command continues when it is repeated.',
  input,
  run: async ({ workspace, to }, platform) => {
    const file = new ExportFile(to, { workspace, service: services[0]!, bytes: 0, lines: 0 });
    try {
      while (file.progress.service !== END) {
        const service = file.progress.service as ServiceName;
        const { after } = file.progress;
        const { lines, next } = await platform.call(exportCall(service), { workspace, after });
        if (file.progress.lines + lines.length === 0) {
          file.discard();
          throw noSuchWorkspace(workspace);
        }
        const following = services[services.indexOf(service) + 1];
        if (next !== null) file.append(lines, { service, after: next });
        else if (following !== undefined) file.append(lines, { service: following });
        else file.append([...lines, endLine(file.progress.lines + lines.length)], { service: END });
      }
      file.complete();
      const { lines, bytes } = file.progress;
      return { exported: { workspace_id: workspace, lines, bytes } };
    } finally {
      file.close();
    }
  },
};
