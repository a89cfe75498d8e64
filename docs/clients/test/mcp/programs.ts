import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { MCPServerStreamableHttp } from '@openai/agents-core';
import { connectWithHeaders } from './bridge.ts';
import { type Connect, connections, type ToolResult } from './connections.ts';

/** LangChain: its tools answer with a text or blocks, and throw a refusal. */
const langChain: Connect = async (url, headers) => {
  const client = new MultiServerMCPClient({ platform: { url, headers, automaticSSEFallback: false } });
  const tools = await client.getTools();
  const invoke = async (name: string, args: object): Promise<ToolResult> => {
    const answer: unknown = await tools.find((tool) => tool.name === name)!.invoke(args);
    const content = [typeof answer === 'string' ? { type: 'text', text: answer } : answer].flat();
    return { content: content as ToolResult['content'] };
  };
  return {
    tools: async () => tools.map(({ name, schema }) => ({ name, inputSchema: schema as object })),
    call: (name, args) =>
      invoke(name, args).catch(({ message }: Error) => ({
        isError: true,
        content: [{ type: 'text', text: message.slice(message.indexOf('{')) }],
      })),
    close: () => client.close(),
  };
};

/** The Agents SDK of OpenAI. */
const openAi: Connect = async (url, headers) => {
  const server = new MCPServerStreamableHttp({ url, requestInit: { headers } });
  await server.connect();
  return {
    tools: () => server.listTools(),
    call: async (name, args) => {
      const result: unknown = await server.callToolResult(name, args);
      return result as ToolResult;
    },
    close: () => server.close(),
  };
};

/** Programs of five makers, by package. */
export const programs: Readonly<Record<string, Connect>> = {
  '@modelcontextprotocol/client': connections['@modelcontextprotocol/client by default']!,
  '@ai-sdk/mcp': connections['@ai-sdk/mcp that discovers']!,
  '@langchain/mcp-adapters': langChain,
  '@openai/agents-core': openAi,
  'mcp-remote': connectWithHeaders,
};
