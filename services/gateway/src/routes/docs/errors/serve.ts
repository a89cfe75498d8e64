import { docsUrl, type ErrorCode } from '@action-platform/contracts/errors';
import { customCall, type Operation } from '@action-platform/contracts/operations';
import { docsRoutes, executionPath, httpRoutes, operationDocsUrl } from '@action-platform/contracts/routes';
import type { AssetUrl } from '../assets.ts';
import { markdownPages } from '../markdown-pages.ts';
import { articleMarkdown, catalogueMarkdown, codes } from './markdown.ts';

/** The handlers of the error catalogue: its index, and a page of each code. */
export function errorCataloguePages(operations: ReadonlyMap<string, Operation>, assetUrl: AssetUrl) {
  const placesOf = placesIn(operations);
  const linked = (code: ErrorCode) => `[\`${code}\`](${docsUrl(code)})`;
  const texts = new Map(codes.map((code) => [docsUrl(code), () => articleMarkdown(code, placesOf(code))]));
  texts.set(docsRoutes.errorIndex.path, () => catalogueMarkdown(linked));
  const answer = markdownPages(texts, 'There is no such error code.', assetUrl);
  return { errorIndex: answer, errorIndexMarkdown: answer, errorPage: answer };
}

/** Finds the operations and other routes that can answer with a code; as Markdown, operations with links to the API reference. */
function placesIn(operations: ReadonlyMap<string, Operation>) {
  const routes = httpRoutes(operations);
  return (code: ErrorCode): readonly string[] => {
    const answering = routes.filter(({ errors }) => errors.includes(code));
    const ids = answering.map(({ operationId }) => operationId).filter((id) => operations.has(id));
    const others = answering.filter(({ operationId }) => !operations.has(operationId));
    const places = [
      ...(ids.length === operations.size
        ? ['Every operation.']
        : ids.map((id) => `[\`${id}\`](${operationDocsUrl(id)})`)),
      ...others.map(({ method, path }) => `\`${method.toUpperCase()} ${path}\``),
      ...(customCall.errors.includes(code) ? [`\`POST ${executionPath('custom.{name}')}\``] : []),
    ];
    return places.length === 0 ? ['Any address.'] : places;
  };
}
