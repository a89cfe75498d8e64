import { runService } from '@action-platform/service-host';
import { recordStore } from './service.ts';

await runService(recordStore);
