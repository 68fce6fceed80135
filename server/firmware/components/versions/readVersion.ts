import type { ComponentVersion } from '#contract/componentVersion.ts';
import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { fileUrl } from '#server/api/files/links.ts';
import { getVersionFile } from './versionFiles.ts';
import { findVersion } from './versionStore.ts';

/** How long the download link in an answer is valid. */
const linkMs = 15 * minuteMs;

type Asked = Pick<Call, 'db' | 'platform' | 'now'>;

export async function readVersion(call: Asked, projectId: string, id: string): Promise<ComponentVersion> {
  const found = await findVersion(call.db, projectId, id);
  if (!found) throw new Problem('COMPONENT_VERSION_NOT_FOUND');
  return withUrl(call, found);
}

/** The version with the link to its file, if it has one. */
export function withUrl({ platform, now }: Asked, version: ComponentVersion): ComponentVersion {
  if (version.state !== 'ready') return version;
  const { projectId, id: versionId } = version;
  const url = fileUrl(platform, getVersionFile({ projectId, versionId }), new Date(now.getTime() + linkMs));
  return { ...version, url };
}
