import { useState } from 'react';
import { call } from '#console/api.ts';
import { fileAddress } from '#console/files/fileAddress.ts';
import { CallFailed } from '#contract/client.ts';
import { readLogRequest } from '#contract/logRequest.ts';
import { reasons } from '#contract/problem.ts';

/** The link is asked for when it is used: it holds for a quarter of an hour. */
export async function linkTo(deviceId: string, requestId: string): Promise<string> {
  const { url } = await call(readLogRequest, { params: { deviceId, requestId } });
  if (url === undefined) throw fileNotFound();
  return fileAddress(url);
}

export function fileNotFound(): CallFailed {
  return new CallFailed({ reason: 'FILE_NOT_FOUND', message: reasons.FILE_NOT_FOUND[1] }, { status: 404 });
}

export function useDownload(deviceId: string) {
  const [error, setError] = useState<CallFailed>();
  async function start(requestId: string): Promise<void> {
    setError(undefined);
    try {
      const link = document.createElement('a');
      link.href = await linkTo(deviceId, requestId);
      link.download = '';
      link.click();
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    }
  }
  return { start, error };
}
