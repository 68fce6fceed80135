import { Readable } from 'node:stream';
import { confirmFile, receiveFile } from '#server/api/files/receiveFile.ts';
import { publishLive } from '#server/api/http/live.ts';
import { lockVersion, setVersionReady } from '#server/firmware/components/uploadStore.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    storeSampleFile: { projectId: string; versionId: string; version: string };
  }
}

const sizeBytes = 192 * 1024;

/** The job that stores the file of a sample version. */
export function storeSampleFileJob(platform: Platform): Task<'storeSampleFile'> {
  return async ({ projectId, versionId, version }) => {
    const { place, sha256 } = await receiveFile(platform, Readable.from([image(version)]), sizeBytes);
    const isSet = await platform.db.tx(async db => {
      // The version was deleted with its project, or an earlier run has stored it: then this file is deleted as well.
      if ((await lockVersion(db, { projectId, versionId })) !== 'verifying') return false;
      await confirmFile(db, place);
      const filename = `thermostat-${version}.bin`;
      await setVersionReady(db, { projectId, versionId, place, filename, sizeBytes }, sha256);
      return true;
    });
    if (isSet) publishLive(platform, projectId, { kind: 'changed', path: `/componentVersions/${versionId}` });
  };
}

/** Bytes that no device can run, always the same for a version. */
function image(version: string): Uint8Array {
  const line = Buffer.from(`Sample firmware ${version} of Mooring. It does nothing.\n`);
  return Buffer.alloc(sizeBytes, line);
}
