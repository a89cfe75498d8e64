import { TokenBucket } from '@action-platform/admission';
import { discover } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import {
  describeOperation,
  describeTool,
  descriptorOfGrant,
  type FunctionTool,
  type Granted,
  grantedParameters,
  type Operation,
} from '@action-platform/contracts/operations';
import { discoveryQuery } from '@action-platform/contracts/routes';
import { describeIssues } from '@action-platform/service-host';
import { LRUCache } from 'lru-cache';
import type { Dependencies } from '../dependencies.ts';
import type { DescribedOperation } from '../descriptions/described-operation.ts';
import { availableOperations } from '../dispatch/authority.ts';
import { holderIn } from '../dispatch/call-audit.ts';
import type { Exchange } from '../dispatch/exchange.ts';
import { JSON_TYPE } from '../http/answers/http-answer.ts';
import { fileInBackground, type StaticFile } from '../http/answers/static-file.ts';
import { openApiDocument } from './openapi/document.ts';

/** How many answers of a view are cached, and how many bytes: many callers have the same set of operations. */
const ANSWERS_KEPT = { max: 64, maxSize: 8 * 1024 * 1024 };

/** How many operations the OpenAPI documents of a second may have: an operation blocks the event loop for a millisecond or more. */
const DOCUMENTED_PER_SECOND = 150;
/** How many more those of one Workspace may have, so that no other one takes the last of them. */
const OWN_PER_SECOND = 10;
/** The Workspaces whose own are counted. */
const WORKSPACES_KEPT = 10_000;

/**
 * Lists the operations that a caller can execute now, as GET /api/v1/operations does. The text is made once for each set of
 * operations, with the revisions of custom ones, and each scope. Returns the refusal of a caller.
 */
export function discoverOperations({ admission, bus, described }: Dependencies) {
  const document = listing(documents());
  const views = {
    operations: {
      session: listing((listed) => ({ operations: listed.map((one) => one.as(describeOperation)) })),
      grant: listing((listed, granted) => ({
        operations: listed.map((one) => descriptorOfGrant(one.as(describeOperation), granted)),
      })),
    },
    tools: {
      session: listing((listed) => ({ tools: listed.map((one) => one.as(interactiveTool)) })),
      grant: listing((listed, granted) => ({ tools: listed.map((one) => toolOfGrant(one, granted)) })),
    },
    openapi: { session: document, grant: document },
  };
  return (exchange: Exchange, query: object): Promise<StaticFile | ActionError> =>
    admission.run(exchange, discover, async (caller) => {
      const available = await availableOperations(bus, exchange, caller, { withNames: true });
      const parsed = discoveryQuery.safeParse(query);
      if (!parsed.success) throw invalidRequest(describeIssues(parsed.error.issues, query, discoveryQuery));
      const list = views[parsed.data.view ?? 'operations'][caller.credential.kind];
      const workspace = holderIn(exchange.context.holder)?.workspaceId ?? caller.fairnessKey.workspace;
      return await list(available, workspace, () => described.among(available, exchange, caller));
    });
}

const interactiveTool = (operation: Operation) => describeTool(operation, 'interactive');
const scheduledTool = (operation: Operation) => describeTool(operation, 'scheduled');

/** Describes an operation as a tool for the holder of a grant. */
function toolOfGrant(operation: DescribedOperation, granted: Granted): FunctionTool {
  const tool = operation.as(
    granted.routine?.outputDefinition === undefined ? interactiveTool : scheduledTool,
  );
  return { ...tool, parameters: grantedParameters(tool.parameters, operation.dataScope, granted) };
}

/**
 * Makes the OpenAPI document of operations. Throws ActionError `action_platform_unavailable` when it has made many a moment ago, and the
 * Workspace has used up its own.
 */
function documents() {
  const room = new TokenBucket(DOCUMENTED_PER_SECOND, 2);
  const own = new LRUCache<string, TokenBucket>({
    max: WORKSPACES_KEPT,
    memoMethod: () => new TokenBucket(OWN_PER_SECOND),
  });
  return (listed: readonly DescribedOperation[], granted: Granted, workspace: string): object => {
    if (!room.take(listed.length) && !own.memo(workspace).take(listed.length))
      throw new ActionError('action_platform_unavailable');
    const declared = listed.map(({ declaration }) => [declaration.id, declaration] as const);
    return openApiDocument(new Map(declared), {}, granted);
  };
}

/** Lists operations in one way. */
function listing(
  describe: (listed: readonly DescribedOperation[], granted: Granted, workspace: string) => object,
) {
  const files = new LRUCache<string, StaticFile>({
    ...ANSWERS_KEPT,
    sizeCalculation: ({ bytes, gzipped }, key) => bytes.length + gzipped.length + key.length,
  });
  return async (
    granted: Granted,
    workspace: string,
    find: () => Promise<readonly DescribedOperation[]>,
  ): Promise<StaticFile> => {
    const key = JSON.stringify(granted);
    let file = files.get(key);
    if (file === undefined) {
      file = await fileInBackground(JSON_TYPE, JSON.stringify(describe(await find(), granted, workspace)));
      files.set(key, file);
    }
    return file;
  };
}
