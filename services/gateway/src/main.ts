import { runService } from '@action-platform/service-host';
import { gateway } from './service.ts';

await runService(gateway);
