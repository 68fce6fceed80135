import { CallFailed } from '#contract/client.ts';
import { reasons } from '#contract/problem.ts';
import { fileAddress } from './fileAddress.ts';

/** A working link to a file; fails if there is no file behind it. */
export async function linkThatLeads(url: string | undefined): Promise<string> {
  const link = fileLink(url);
  const response = await fetch(link, { method: 'HEAD' }).catch(() => {
    throw noAnswer();
  });
  if (!response.ok) throw fileNotFound();
  return link;
}

export function fileLink(url: string | undefined): string {
  if (url === undefined) throw fileNotFound();
  return fileAddress(url);
}

/** Downloads a link without leaving the page. */
export function download(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}

export function fileNotFound(): CallFailed {
  return new CallFailed({ reason: 'FILE_NOT_FOUND', message: reasons.FILE_NOT_FOUND[1] }, { status: 404 });
}

export function noAnswer(): CallFailed {
  const message = 'Mooring did not answer. Check your connection and try again.';
  return new CallFailed({ reason: 'CONNECTION_ERROR', message }, { status: 0 });
}
