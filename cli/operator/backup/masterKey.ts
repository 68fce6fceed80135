import type { Config } from '#server/infra/config.ts';
import { createSealing, readMasterKey, type Sealing } from '#server/infra/sealing.ts';
import { StartFault } from '#server/infra/startFault.ts';

/** The encryption of this installation. Never creates a key, because a new one could not decrypt anything. */
export function existingSealing({ masterKey, dataDir }: Config): Sealing {
  const { key } = readMasterKey(masterKey, dataDir);
  if (!key)
    throw new StartFault(
      `There is no master key. Set MASTER_KEY, or put the file master.key of the installation into ${dataDir}.`,
    );
  return createSealing(key);
}
