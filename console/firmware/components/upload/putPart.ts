import { fileAddress } from '#console/core/files/fileAddress.ts';
import { failureOf, interrupted } from '#console/core/files/putFile.ts';

/** A connection on which nothing has moved for this long is dead, whatever the browser reports. */
const stalledMs = 30_000;

export interface PutPart {
  url: string;
  bytes: Blob;
  /** SHA-256 of the bytes, in base64: the server refuses bytes that do not match. */
  sha256: string;
  signal: AbortSignal;
  onSent: (bytes: number) => void;
}

/** PUTs one part to the URL that the server gave. `fetch` does not report progress. */
export function putPart({ url, bytes, sha256, signal, onSent }: PutPart): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let stalled: ReturnType<typeof setTimeout>;
    const watch = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), stalledMs);
    };
    const stop = () => request.abort();
    request.open('PUT', fileAddress(url));
    request.setRequestHeader('content-digest', `sha-256=:${sha256}:`);
    request.upload.onprogress = ({ loaded }) => {
      watch();
      onSent(loaded);
    };
    request.onload = () => (request.status < 300 ? resolve() : reject(failureOf(request)));
    request.onerror = () => reject(interrupted());
    request.onabort = () => reject(interrupted());
    request.onloadend = () => {
      clearTimeout(stalled);
      signal.removeEventListener('abort', stop);
    };
    if (signal.aborted) return reject(interrupted());
    signal.addEventListener('abort', stop);
    watch();
    request.send(bytes);
  });
}
