import { useRead } from '#console/core/api.ts';
import { readGateway } from '#contract/gateway.ts';

/** The origin of this installation as seen from outside, and the read that it comes from. */
export function useOrigin() {
  const read = useRead(readGateway, {});
  return { read, origin: read.data && new URL(read.data.httpUrl).origin };
}
