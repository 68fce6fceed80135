import { errorCode } from './errorCode.ts';
import { StartFault } from './startFault.ts';

/** Why a folder cannot be written to. All else is an error of ours. */
const unwritable: Record<string, string> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
};

/** Does work that writes to the data folder; if that is not possible, the operator is told in a sentence. */
export function writingTo<T>(dataDir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = unwritable[errorCode(error) ?? ''];
    if (why === undefined || error instanceof StartFault) throw error;
    throw new StartFault(
      `${dataDir} cannot be written to: ${why}. Make it writable for the user that starts Mooring, or choose another folder with DATA_DIR.`,
    );
  }
}
