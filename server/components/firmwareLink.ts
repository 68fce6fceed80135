import { fileUrl } from '#server/files/links.ts';
import type { Platform } from '#server/platform.ts';
import { getFirmware } from './versionFiles.ts';

/** Where a device, and nobody who is not given its link, downloads the file of a version until then. */
export function firmwareUrl(
  platform: Pick<Platform, 'publicUrl' | 'sealing'>,
  firmware: { projectId: string; versionId: string; deviceId: string },
  until: Date,
): string {
  return fileUrl(platform, getFirmware(firmware), until);
}
