import { partBytesMax } from '#contract/componentVersion.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, empty, type Sql, sql } from '#server/db/sql.ts';
import type { FileLinks, StoredFile } from '#server/files/links.ts';
import { receivePart } from './receivePart.ts';
import type { UploadKey } from './uploadStore.ts';

interface VersionKey {
  projectId: string;
  versionId: string;
}

/** The links with which a part of an upload is sent, and a version downloaded by a person, or by a device. */
export const putPart = ({ projectId, uploadId }: UploadKey, number: number) => ({
  kind: 'pv',
  ids: [projectId, uploadId, String(number)],
});
export const getVersionFile = ({ projectId, versionId }: VersionKey) => ({
  kind: 'gv',
  ids: [projectId, versionId],
});
export const getFirmware = ({ projectId, versionId, deviceId }: VersionKey & { deviceId: string }) => ({
  kind: 'gf',
  ids: [projectId, versionId, deviceId],
});

export const versionFiles: FileLinks = {
  pv: {
    upload: {
      bytesMax: partBytesMax,
      receive: (platform, [projectId = '', uploadId = '', number], body, headers) =>
        receivePart(platform, { projectId, uploadId }, { number: Number(number), body, headers }),
    },
  },
  gv: {
    download: ({ db }, [projectId = '', versionId = '']) =>
      fileOf(db, sql`v.project_id = ${projectId} and v.id = ${versionId}`),
  },
  gf: {
    expired: 'URL_EXPIRED',
    download: async ({ db }, [projectId = '', versionId = '', deviceId = '']) => ({
      ...(await fileOf(
        db,
        sql`v.project_id = ${projectId} and v.id = ${versionId}`,
        sql`join devices d on d.project_id = v.project_id and d.id = ${deviceId} and not d.suspended`,
      )),
      device: { projectId, deviceId },
    }),
  },
};

/** The file of a version at its fixed address, in a project that makes its firmware public. */
export function publicFirmware(db: Db, versionId: string): Promise<StoredFile> {
  return fileOf(db, sql`v.id = ${versionId} and p.allow_public_otau`);
}

async function fileOf(db: Db, where: Sql, joined: Sql = empty): Promise<StoredFile> {
  const row = await db.one<{ place: string; sizeBytes: number; filename: string; sha256: string }>(sql`
    select v.place, v.size_bytes::float8 as "sizeBytes", v.filename, v.sha256 from component_versions v
    join projects p on p.id = v.project_id and p.deleted_at is null ${joined}
    where ${where} and v.state = 'ready'`);
  if (!row) throw new Problem('FILE_NOT_FOUND');
  const { sha256, ...file } = row;
  return { ...file, contentType: 'application/octet-stream', etag: `"${sha256}"`, isHot: true };
}
