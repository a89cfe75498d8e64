import { ActionError, forgetFiles } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/**
 * `admin.knowledge.forget_files`: an operator confirms that FILES_DIR was emptied on purpose. The service refuses the command
 * while the directory has files, because the next pass would list them again.
 */
export function serveForgetFiles({ files, source }: Dependencies): ServedCall {
  return serveCall(forgetFiles, async (_, context) => {
    if (source?.isListingKept === false) {
      throw new ActionError('invalid_request', {
        message: 'FILES_DIR is followed, so its listing is true; this command is for one that was emptied.',
      });
    }
    await files.removeAll('directory', context);
    return { forgotten: true as const };
  });
}
