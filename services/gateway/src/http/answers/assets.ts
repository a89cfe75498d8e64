import { readFileSync } from 'node:fs';
import { ActionError } from '@action-platform/contracts/errors';
import type { Request, Response } from 'express';
import { answerWithFile, type StaticFile, staticFile } from './static-file.ts';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** Style sheets, scripts, fonts and images of pages by name: files, which are read once, or texts. A path can name no others. */
export function assetsAt<Name extends string>(folder: string, sources: ReadonlyMap<Name, URL | string>) {
  const files = new Map<string, StaticFile>(
    [...sources].map(([name, source]) => [
      name,
      staticFile(TYPES[name.split('.').at(-1)!]!, typeof source === 'string' ? source : readFileSync(source)),
    ]),
  );
  return {
    /** The address of an asset, with the version of its content. */
    assetUrl: (name: Name) => `${folder}/${name}?v=${files.get(name)!.version}`,

    /** GET {folder}/{name}, or {*name} with folders. Immutable under its current version, and revalidated under any other. */
    asset: async (request: Request<{ name: string | string[] }>, response: Response): Promise<void> => {
      const file = files.get([request.params.name].flat().join('/'));
      if (file === undefined) throw new ActionError('route_not_found');
      const isPinned = request.query.v === file.version;
      const caching = isPinned ? 'public, max-age=31536000, immutable' : 'public, no-cache';
      await answerWithFile(request as Request, response, file, caching);
    },
  };
}
