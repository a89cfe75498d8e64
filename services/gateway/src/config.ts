import { ownVariables } from '@action-platform/contracts/configuration';
import { commonConfig } from '@action-platform/service-host';
import type { z } from 'zod';

export const gatewayConfig = commonConfig.extend(ownVariables.gateway.shape);
export type GatewayConfig = z.output<typeof gatewayConfig>;
