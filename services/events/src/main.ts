import { runService } from '@action-platform/service-host';
import { events } from './service.ts';

await runService(events);
