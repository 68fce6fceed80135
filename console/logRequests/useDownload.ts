import { useState } from 'react';
import { call } from '#console/api.ts';
import { fileAddress } from '#console/files/fileAddress.ts';
import { CallFailed } from '#contract/client.ts';
import { readLogRequest } from '#contract/logRequest.ts';
import { reasons } from '#contract/problem.ts';

/** The link is asked for when it is used: it holds for a quarter of an hour. Fails where there is no file behind it. */
export async function linkToFile(deviceId: string, requestId: string): Promise<string> {
  const link = await linkTo(deviceId, requestId);
  const response = await fetch(link, { method: 'HEAD' }).catch(() => {
    throw noAnswer();
  });
  if (!response.ok) throw fileNotFound();
  return link;
}

export async function linkTo(deviceId: string, requestId: string): Promise<string> {
  const { url } = await call(readLogRequest, { params: { deviceId, requestId } });
  if (url === undefined) throw fileNotFound();
  return fileAddress(url);
}

export function fileNotFound(): CallFailed {
  return new CallFailed({ reason: 'FILE_NOT_FOUND', message: reasons.FILE_NOT_FOUND[1] }, { status: 404 });
}

export function noAnswer(): CallFailed {
  const message = 'Mooring did not answer. Check your connection and try again.';
  return new CallFailed({ reason: 'CONNECTION_ERROR', message }, { status: 0 });
}

export function useDownload(deviceId: string) {
  const [error, setError] = useState<CallFailed>();
  async function start(requestId: string): Promise<void> {
    setError(undefined);
    try {
      const link = document.createElement('a');
      link.href = await linkToFile(deviceId, requestId);
      link.download = '';
      link.click();
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    }
  }
  return { start, error };
}
