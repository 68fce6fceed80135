import { Readable } from 'node:stream';
import { lockVersion, setVersionReady } from '#server/components/uploadStore.ts';
import { keepFile, receiveFile } from '#server/files/receiveFile.ts';
import { tellLive } from '#server/http/live.ts';
import type { Task } from '#server/jobs/jobs.ts';
import type { Platform } from '#server/platform.ts';

declare module '#server/jobs/enqueue.ts' {
  interface Jobs {
    storeSampleFile: { projectId: string; versionId: string; version: string };
  }
}

const sizeBytes = 192 * 1024;

/** The job that gives a version of the sample project its file, once it is stored. */
export function storeSampleFileJob(platform: Platform): Task<'storeSampleFile'> {
  return async ({ projectId, versionId, version }) => {
    const { place, sha256 } = await receiveFile(platform, Readable.from([image(version)]), sizeBytes);
    const isSet = await platform.db.tx(async db => {
      // Gone with its project, or done by a run before this one: the file then goes as well.
      if ((await lockVersion(db, { projectId, versionId })) !== 'verifying') return false;
      await keepFile(db, place);
      const filename = `thermostat-${version}.bin`;
      await setVersionReady(db, { projectId, versionId, place, filename, sizeBytes }, sha256);
      return true;
    });
    if (isSet) tellLive(platform, projectId, { kind: 'changed', path: `/componentVersions/${versionId}` });
  };
}

/** Bytes that no device could run, the same for the same version. */
function image(version: string): Uint8Array {
  const line = Buffer.from(`Sample firmware ${version} of Mooring. It does nothing.\n`);
  return Buffer.alloc(sizeBytes, line);
}
