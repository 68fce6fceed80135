import { serverAway } from './serverAway.ts';

const askAgainMs = 2_000;
let asking: Promise<boolean> | undefined;

/** Waits until the server answers. True: it answered at once; false: it was away and is back. */
export function reachServer(): Promise<boolean> {
  asking ??= reach().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function reach(): Promise<boolean> {
  if (await answers()) return true;
  serverAway.set(true);
  do await new Promise(resolve => setTimeout(resolve, askAgainMs));
  while (!(await answers()));
  serverAway.set(false);
  return false;
}

/** If a proxy cannot reach the server, it answers with 502 to 504. */
async function answers(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).status < 500;
  } catch {
    return false;
  }
}
