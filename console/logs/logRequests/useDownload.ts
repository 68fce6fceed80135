import { useState } from 'react';
import { call } from '#console/core/client.ts';
import { download, fileLink, linkThatLeads } from '#console/core/files/fileLink.ts';
import { CallFailed } from '#contract/client.ts';
import { readLogRequest } from '#contract/logRequest.ts';

/** Requests the link when it is used, as it is valid for a quarter of an hour. Fails if there is no file behind it. */
export async function linkToFile(deviceId: string, requestId: string): Promise<string> {
  const { url } = await call(readLogRequest, { params: { deviceId, requestId } });
  return linkThatLeads(url);
}

export async function linkTo(deviceId: string, requestId: string): Promise<string> {
  const { url } = await call(readLogRequest, { params: { deviceId, requestId } });
  return fileLink(url);
}

export function useDownload(deviceId: string) {
  const [error, setError] = useState<CallFailed>();
  async function start(requestId: string): Promise<void> {
    setError(undefined);
    try {
      download(await linkToFile(deviceId, requestId));
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    }
  }
  return { start, error };
}
