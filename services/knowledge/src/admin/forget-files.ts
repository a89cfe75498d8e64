import { ActionError, forgetFiles } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/**
 * `admin.knowledge.forget_files`: an operator confirms that a source was emptied or is no longer configured on purpose. The
 * service refuses the command when it follows the sources of all files, because the next pass would list them again.
 */
export function serveForgetFiles({ files, sources }: Dependencies): ServedCall {
  return serveCall(forgetFiles, async (_, context) => {
    const followed = sources.filter(({ isListingKept }) => !isListingKept);
    const others = (['directory', 's3'] as const).filter((kind) =>
      followed.every((each) => each.kind !== kind),
    );
    const forgettable = await Promise.all(others.map((kind) => files.hasAny(kind)));
    if (followed.length > 0 && !forgettable.includes(true)) {
      const names = followed.map(({ variable }) => variable).join(' and ');
      throw new ActionError('invalid_request', {
        message: `The listing of ${names} is followed; this command is for one that was emptied or is no longer configured.`,
      });
    }
    for (const kind of others) await files.removeAll(kind, context);
    return { forgotten: true as const };
  });
}
