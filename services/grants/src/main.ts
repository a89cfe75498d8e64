import { runService } from '@action-platform/service-host';
import { grants } from './service.ts';

await runService(grants);
