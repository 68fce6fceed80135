import { useRead } from '#console/api.ts';
import { readGateway } from '#contract/gateway.ts';

/** Where this installation is reached from outside, and the read that says so. */
export function useOrigin() {
  const read = useRead(readGateway, {});
  return { read, origin: read.data && new URL(read.data.httpUrl).origin };
}
