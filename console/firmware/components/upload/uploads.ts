import { call, invalidate, invalidateReads } from '#console/core/client.ts';
import { shared } from '#console/core/clientStorage.ts';
import { leavingItem } from '#console/core/leavingProject.ts';
import { session } from '#console/core/session.ts';
import { createStore, useStore } from '#console/core/store.ts';
import { registerUnsaved } from '#console/core/unsaved.ts';
import { pathOf } from '#contract/client.ts';
import {
  type ComponentVersion,
  cancelVersionUpload,
  completeVersionUpload,
  readVersionUpload,
  startVersionUpload,
  type VersionUpload,
} from '#contract/componentVersion.ts';
import { hashFile, hashPart } from './fileHash.ts';
import { putPart } from './putPart.ts';
import { UploadRun } from './uploadRun.ts';
import { isOver, type UploadWorld } from './uploadView.ts';

/** The address and checksum of a file are read again this long after its upload. */
export const refetchAfterMs = 3000;

/** The uploads of this tab, by version. They continue while other screens are open. */
const uploads = createStore<Readonly<Record<string, UploadRun>>>({});

export const useUploadOf = (versionId: string): UploadRun | undefined => useStore(uploads)[versionId];

function forgetUpload(versionId: string): void {
  const { [versionId]: _, ...others } = uploads.get();
  uploads.set(others);
}

/** When the file of an upload had last been changed: another state of it does not fit the stored parts. */
export function modifiedAt({ uploadId }: Pick<VersionUpload, 'uploadId'>): number | undefined {
  const text = shared.read(markOf(uploadId));
  return text === undefined ? undefined : Number(text);
}

const markOf = (uploadId: string) => `mooring.uploadedFile.${uploadId}`;

interface Given {
  file: File;
  /** The SHA-256 in hexadecimal digits, if known from elsewhere. */
  expected?: string | undefined;
  isSigned: boolean;
}

export async function startUpload(versionId: string, { file, expected, isSigned }: Given): Promise<void> {
  const params = { versionId };
  const body = { filename: file.name, bytes: file.size, ...(expected && { sha256: expected }) };
  const upload = await call(startVersionUpload, { params, body });
  void invalidate(startVersionUpload, params);
  run(versionId, upload, file, isSigned);
}

/** Resumes an upload whose file was chosen again. */
export async function resumeUpload(version: ComponentVersion, file: File, isSigned: boolean): Promise<void> {
  const params = { versionId: version.id, uploadId: version.uploadId ?? '' };
  run(version.id, await call(readVersionUpload, { params }), file, isSigned);
}

/** Stops an upload and removes what is stored of it. */
export async function cancelUpload(versionId: string, uploadId: string): Promise<void> {
  uploads.get()[versionId]?.stop();
  const params = { versionId, uploadId };
  try {
    await remove(params);
  } catch (error) {
    void invalidate(cancelVersionUpload, params);
    throw error;
  } finally {
    forgetUpload(versionId);
  }
}

function run(versionId: string, upload: VersionUpload, file: File, isSigned: boolean): void {
  const { uploadId } = upload;
  const params = { versionId, uploadId };
  shared.write(markOf(uploadId), String(file.lastModified));
  const one = new UploadRun(upload, { ...worldOf(file, params), isSigned });
  uploads.set({ ...uploads.get(), [versionId]: one });
  // If the session ends, the sign-in opens over the page instead of leaving it.
  const settled = registerUnsaved(async () => true);
  const leave = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener('beforeunload', leave);
  const signedOut = session.subscribe(() => {
    if (!session.get()) one.stop();
  });
  const over = one.view.subscribe(() => {
    const { phase, refusal } = one.view.get();
    if (!isOver(phase)) return;
    settled();
    window.removeEventListener('beforeunload', leave);
    signedOut();
    over();
    if (phase !== 'failed') shared.remove(markOf(uploadId));
    if (phase === 'sent') setTimeout(() => invalidateReads(['componentVersions']), refetchAfterMs);
    // The reason stays on the screen; the bytes of the wrong file need not stay with the server.
    if (refusal?.kind === 'checksum') void discard(params);
  });
}

/** What cannot be removed now is removed when the upload expires. */
async function discard(params: { versionId: string; uploadId: string }): Promise<void> {
  await remove(params).catch(() => invalidate(cancelVersionUpload, params));
}

async function remove(params: { versionId: string; uploadId: string }): Promise<void> {
  await leavingItem(pathOf(cancelVersionUpload, params), async () => {
    await call(cancelVersionUpload, { params });
    await invalidate(cancelVersionUpload, params);
  });
}

function worldOf(file: File, params: { versionId: string; uploadId: string }): Omit<UploadWorld, 'isSigned'> {
  return {
    async put({ from, to }, url, signal, onSent) {
      const bytes = file.slice(from, to);
      const sha256 = await hashPart(bytes);
      await putPart({ url, bytes, sha256, signal, onSent });
    },
    hash: (signal, onRead) => hashFile(file, { signal, onRead }),
    read: () => call(readVersionUpload, { params }),
    // A completed upload can no longer be read either.
    complete: body =>
      leavingItem(pathOf(completeVersionUpload, params), async () => {
        await call(completeVersionUpload, { params, body });
        await invalidate(completeVersionUpload, params);
      }),
    wait: untilOnline,
    now: Date.now,
  };
}

/** Ends early when the browser reports that it is online again, or when the signal aborts. */
function untilOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
