import { runService } from '@action-platform/service-host';
import { customOperations } from './service.ts';

await runService(customOperations);
