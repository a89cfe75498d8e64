import { hash } from 'node:crypto';
import { consoleFiles, consoleImports } from '@action-platform/console';
import type { ConsoleSignIn } from '@action-platform/contracts/configuration';
import { FRESH_SIGN_IN_SECONDS } from '@action-platform/contracts/errors';
import { consoleRoutes } from '@action-platform/contracts/routes';
import type { Request, Response } from 'express';
import { assetsAt } from '../../http/answers/assets.ts';
import type { AssetUrl } from '../docs/assets.ts';
import { Html, html } from '../docs/html.ts';
import { answerWithPage, renderPage } from '../docs/page.ts';

const FOLDER = consoleRoutes.file.path.replace('/{*name}', '');

/** GET /console/…: one page, in which the browser shows what its address names, and its files. */
export function consolePages(signIn: ConsoleSignIn, docsAsset: AssetUrl) {
  const { asset, assetUrl } = assetsAt(FOLDER, consoleFiles);
  const modules = [...consoleFiles.keys()].filter((name) => name.endsWith('.js'));
  const addresses = [
    ...Object.entries(consoleImports),
    // Relative imports get the version of a file as well, but for those within yaml.
    ...modules
      .filter((name) => !name.startsWith('yaml/'))
      .map((name) => [`${FOLDER}/${name}`, name] as const),
  ];
  const imports = Object.fromEntries(addresses.map(([specifier, name]) => [specifier, assetUrl(name)]));
  const importMap = JSON.stringify({ imports });
  const settings = { ...signIn, freshSeconds: FRESH_SIGN_IN_SECONDS, icons: assetUrl('icons.svg') };
  const page = renderPage(
    {
      title: 'Console',
      style: html`<link rel="stylesheet" href="${assetUrl('console.css')}">`,
      head: html`<meta name="console" content="${JSON.stringify(settings)}">
${new Html(`<script type="importmap">${importMap}</script>`)}
<script type="module" src="${assetUrl('main.js')}"></script>`,
      // The browser fills it, when it knows who signed in.
      nav: html`<nav aria-label="Console"></nav>`,
      body: html`<noscript><p>The console needs JavaScript.</p></noscript>
<p>Signing in …</p>`,
    },
    docsAsset,
  );
  const policy = {
    'script-src': `'self' 'sha256-${hash('sha256', importMap, 'base64')}'`,
    'connect-src': `'self' ${new URL(signIn.metadataUrl).origin}`,
    'require-trusted-types-for': "'script'",
    'trusted-types': 'lit-html',
  };
  const show = (request: Request, response: Response) => answerWithPage(request, response, page, policy);
  return { home: show, page: show, file: asset };
}
