import { writeFileSync } from 'node:fs';
import { dashboards } from './dashboards/dashboards.ts';
import { rulesFiles } from './rules/rules-files.ts';

/** Every file of this folder that is made, with what is in it. */
export const files: readonly { readonly file: URL; readonly content: string }[] = [
  ...Object.entries(rulesFiles()).map(([name, content]) => ({
    file: fileOf(`prometheus/rules/${name}`),
    content,
  })),
  ...Object.entries(dashboards).map(([name, dashboard]) => ({
    file: fileOf(`grafana/dashboards/${name}.json`),
    content: `${JSON.stringify(dashboard, null, 2)}\n`,
  })),
];

function fileOf(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

if (import.meta.main) for (const { file, content } of files) writeFileSync(file, content);
