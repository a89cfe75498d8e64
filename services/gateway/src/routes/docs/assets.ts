import { readFileSync } from 'node:fs';
import { ActionError } from '@action-platform/contracts';
import type { Request, Response } from 'express';
import { answerWithFile, type StaticFile, staticFile } from '../../http/answers/static-file.ts';

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** The files that pages may load. A path can name no others. */
const sources = {
  'docs.css': { type: CSS, url: new URL('./assets/docs.css', import.meta.url) },
  'reference.css': { type: CSS, url: new URL('./assets/reference.css', import.meta.url) },
  'reference.js': { type: JAVASCRIPT, url: new URL('./assets/reference.js', import.meta.url) },
  'icon.svg': { type: 'image/svg+xml', url: new URL('./assets/icon.svg', import.meta.url) },
} as const;

/** The address of an asset, with the version of its content. */
export type AssetUrl = (name: keyof typeof sources) => string;

/** The style sheets and scripts of the pages, read once. */
export function docsAssets() {
  const files = new Map<string, StaticFile>(
    Object.entries(sources).map(([name, { type, url }]) => [name, staticFile(type, readFileSync(url))]),
  );
  return {
    assetUrl: (name: keyof typeof sources) => `/docs/assets/${name}?v=${files.get(name)!.version}`,

    /** GET /docs/assets/{name}. Immutable under its current version, and revalidated under any other. */
    asset: (request: Request<{ name: string }>, response: Response): void => {
      const file = files.get(request.params.name);
      if (file === undefined) throw new ActionError('route_not_found');
      const isPinned = request.query.v === file.version;
      response.set('Cache-Control', isPinned ? 'public, max-age=31536000, immutable' : 'public, no-cache');
      answerWithFile(request as Request, response, file);
    },
  };
}
