import type { Config } from '#server/infra/config.ts';
import type { Database } from '#server/infra/db/sql.ts';
import type { Log } from '#server/infra/log.ts';
import type { Sealing } from '#server/infra/sealing.ts';
import { createStorage, type Storage } from '#server/infra/storage/storage.ts';
import { checkFileStore } from './fileStore.ts';
import { openSealing } from './masterKey.ts';

/**
 * The parts outside of the database that its rows depend on. Refuses to start with a key that does not open their
 * secrets, or on a store that does not have their files: either would be noticed much later, one row at a time, while
 * new rows already depend on the wrong one.
 */
export async function openInstallation(
  db: Database,
  config: Config,
  log: Log,
): Promise<{ sealing: Sealing; storage: Storage }> {
  const sealing = await openSealing(db, config);
  const storage = createStorage(config);
  await checkFileStore(db, storage, { config, log });
  return { sealing, storage };
}
