import type { CustomOperation } from '@action-platform/contracts/operations';
import { connectorRoutes as routes } from '@action-platform/contracts/resources';
import { aMember } from '@action-platform/testing';
import { beforeEach } from '@jest/globals';
import { testCustomOperations } from './test-custom-operations.ts';
import { TestMcpServer, TOOL } from './test-mcp-server.ts';

type Connector = Parameters<ReturnType<typeof testCustomOperations>['connect']>[1];
interface Defining extends Partial<CustomOperation> {
  readonly connector?: Connector;
  readonly repeats?: 'key' | 'never';
}

const properties = { n: { type: 'number' }, id: { type: 'string' } } as const;
const inputSchema = { type: 'object', properties } as const;

/** Operations that are tools of an MCP server; each test has a Workspace and a server of its own. */
export function testTools(...options: Parameters<typeof testCustomOperations>) {
  const custom = testCustomOperations(...options);
  const made = { member: aMember(), server: new TestMcpServer() };
  beforeEach(() => {
    Object.assign(made, { member: aMember(), server: new TestMcpServer() });
    custom.received.length = 0;
    custom.answer = made.server.answer;
  });
  const connect = (more: Connector = {}) => custom.connect(made.member.workspaceId, { kind: 'mcp', ...more });
  const list = () => custom.manage(made.member.workspaceId, routes.tools, { name: 'shop' });
  const defineAs = (digest: string, { repeats = 'never', connector: _, ...definition }: Defining = {}) =>
    custom.defineTarget(
      made.member.workspaceId,
      { connector: 'shop', tool: TOOL.name, digest, repeats },
      { inputSchema, timeoutMs: 2_000, ...definition },
    );
  return {
    custom,
    get member() {
      return made.member;
    },
    get server() {
      return made.server;
    },
    connect,
    list,
    /** Defines an operation of the tool with this digest. */
    defineAs,
    /** Makes a connector, and an operation of the tool as the server lists it. */
    define: async (more: Defining = {}) => {
      await connect(more.connector);
      const { tools } = await list();
      return defineAs(tools.find(({ name }) => name === TOOL.name)!.digest, more);
    },
    /** Calls an operation, by default with a new key. */
    call: (operation: CustomOperation, input: object | string = {}, key: string = crypto.randomUUID()) =>
      custom.call(made.member, operation, input, { key: operation.effect === 'write' ? key : '' }),
  };
}

/** The cause that a failure names. */
export function causeOf({ error }: { readonly error: { readonly message: string } | undefined }) {
  return /Cause: (\w+)/.exec(error?.message ?? '')?.[1];
}
