import { pathOf } from '#contract/client.ts';
import { readImport } from '#contract/deviceBulk.ts';
import { publishLive } from '#server/api/http/live.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { ImportKey } from './importStore.ts';

/** Notifies consoles that watch the progress of an import. */
export function publishImport(platform: Platform, { projectId, importId }: ImportKey): void {
  publishLive(platform, projectId, { kind: 'changed', path: pathOf(readImport, { projectId, importId }) });
}
