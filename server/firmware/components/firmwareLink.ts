import { fileUrl } from '#server/api/files/links.ts';
import type { Platform } from '#server/infra/platform.ts';
import { getFirmware } from './versions/versionFiles.ts';

/**
 * The link with which one device can download the file of a version until this time. Anyone without the link is
 * refused.
 */
export function firmwareUrl(
  platform: Pick<Platform, 'publicUrl' | 'sealing'>,
  firmware: { projectId: string; versionId: string; deviceId: string },
  until: Date,
): string {
  return fileUrl(platform, getFirmware(firmware), until);
}
