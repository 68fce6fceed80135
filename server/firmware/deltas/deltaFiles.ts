import { Problem } from '#contract/problem.ts';
import { type FileLinks, fileUrl } from '#server/api/files/links.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { DeltaKey } from './requestDeltas.ts';

/** The signed link with which a device downloads a delta until it expires. */
export function deltaUrl(
  platform: Pick<Platform, 'publicUrl' | 'sealing'>,
  { projectId, versionId, from, deviceId }: DeltaKey & { deviceId: string },
  until: Date,
): string {
  return fileUrl(platform, { kind: 'gd', ids: [projectId, versionId, from, deviceId] }, until);
}

export const deltaFiles: FileLinks = {
  gd: {
    expired: 'URL_EXPIRED',
    download: async ({ db }, [projectId = '', versionId = '', from = '', deviceId = '']) => {
      const row = await db.one<{ place: string; sizeBytes: number; filename: string; sha256: string }>(sql`
        select d.place, d.size_bytes::float8 as "sizeBytes", v.filename || '.zst' as filename, d.sha256
        from firmware_deltas d
        join component_versions v on v.project_id = d.project_id and v.id = d.version_id
        join projects p on p.id = d.project_id and p.deleted_at is null
        join devices e on e.project_id = d.project_id and e.id = ${deviceId} and not e.suspended
        where d.project_id = ${projectId} and d.version_id = ${versionId} and d.from_sha256 = ${from}
          and d.state = 'ready'`);
      if (!row) throw new Problem('FILE_NOT_FOUND');
      const { sha256, ...file } = row;
      const device = { projectId, deviceId };
      return { ...file, contentType: 'application/zstd', etag: `"${sha256}"`, isHot: true, device };
    },
  },
};
