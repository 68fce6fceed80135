import { partBytesMax } from '#contract/componentVersion.ts';
import { Problem } from '#contract/problem.ts';
import type { FileLinks, StoredFile } from '#server/api/files/links.ts';
import { receivePart } from '#server/firmware/components/receivePart.ts';
import type { UploadKey } from '#server/firmware/components/uploadStore.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface VersionKey {
  projectId: string;
  versionId: string;
}

/** The links for sending a part of an upload, and for downloading a version as a person or as a device. */
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
    download: ({ db }, [projectId = '', versionId = '']) => versionFile(db, { projectId, versionId }),
  },
  gf: {
    expired: 'URL_EXPIRED',
    download: async ({ db }, [projectId = '', versionId = '', deviceId = '']) => ({
      ...(await versionFile(db, { projectId, versionId, deviceId })),
      device: { projectId, deviceId },
    }),
  },
};

/** The file of a version at its fixed address, in a project that publishes its firmware. */
export async function publicFirmware(db: Db, versionId: string): Promise<StoredFile> {
  const row = await db.one<FileRow>(sql`
    select ${columns} from component_versions v
    join projects p on p.id = v.project_id and p.deleted_at is null and p.allow_public_otau
    where v.id = ${versionId} and v.state = 'ready'`);
  return toFile(row);
}

interface FileRow {
  place: string;
  sizeBytes: number;
  filename: string;
  sha256: string;
}

const columns = sql`v.place, v.size_bytes::float8 as "sizeBytes", v.filename, v.sha256`;

function toFile(row: FileRow | undefined): StoredFile {
  if (!row) throw new Problem('FILE_NOT_FOUND');
  const { sha256, ...file } = row;
  return { ...file, contentType: 'application/octet-stream', etag: `"${sha256}"`, isHot: true };
}

/** With a device: only while the device may download the version. */
type Asked = VersionKey & { deviceId?: string };

const lookupsMax = 1_000;
const lookups = new WeakMap<Db, GroupCommit<Asked, FileRow | undefined>>();

/**
 * A fleet requests an update all at once, and small devices a few kilobytes at a time: many lookups share one
 * statement.
 */
async function versionFile(db: Db, asked: Asked): Promise<StoredFile> {
  let lookup = lookups.get(db);
  if (!lookup) {
    lookup = new GroupCommit({
      name: 'firmware files',
      run: all => findFiles(db, all),
      itemsMax: lookupsMax,
    });
    lookups.set(db, lookup);
  }
  return toFile(await lookup.add(asked));
}

async function findFiles(db: Db, all: readonly Asked[]): Promise<(FileRow | undefined)[]> {
  const rows = await db.many<FileRow & { at: number }>(sql`
    select asked.at::int, ${columns}
    from unnest(${all.map(one => one.projectId)}::text[], ${all.map(one => one.versionId)}::text[],
      ${all.map(({ deviceId = null }) => deviceId)}::text[]) with ordinality as asked (project_id, version_id, device_id, at)
    join component_versions v on v.project_id = asked.project_id and v.id = asked.version_id and v.state = 'ready'
    join projects p on p.id = v.project_id and p.deleted_at is null
    left join devices d on d.project_id = asked.project_id and d.id = asked.device_id
    where asked.device_id is null or not d.suspended`);
  const byOrder = new Map(rows.map(({ at, ...row }) => [at, row]));
  return all.map((_, index) => byOrder.get(index + 1));
}
