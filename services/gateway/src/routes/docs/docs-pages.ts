import type { GatewayTools } from '../../tools.ts';
import { docsAssets } from './assets.ts';
import { errorCataloguePages } from './errors/serve.ts';
import { apiReference } from './reference.ts';

/** The handlers of everything under /docs, with their pages made. */
export function docsPages({ operations }: Pick<GatewayTools, 'operations'>) {
  const { asset, assetUrl } = docsAssets();
  return { asset, reference: apiReference(assetUrl), ...errorCataloguePages(operations, assetUrl) };
}
