import { callService } from '@action-platform/bus';
import type { Call } from '@action-platform/contracts';
import type { z } from 'zod';
import type { CommandTools } from './command.ts';

const TIMEOUT_MS = 10_000;

/** Makes one call of the running platform as its operator. */
export async function operatorCall<Input extends z.ZodObject, Output extends z.ZodType>(
  tools: CommandTools,
  call: Call<Input, Output>,
  input: z.input<Input>,
): Promise<z.output<Output>> {
  return await callService(await tools.connect(), call, input, { timeoutMs: TIMEOUT_MS });
}
