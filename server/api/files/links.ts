import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Problem, type Reason } from '#contract/problem.ts';
import type { Platform } from '#server/infra/platform.ts';

/** What a kind of link allows anyone who has it. The ids in the link identify the file. */
export interface FileLink {
  upload?: {
    bytesMax: number;
    receive(
      platform: Platform,
      ids: readonly string[],
      body: AsyncIterable<Uint8Array>,
      headers: IncomingHttpHeaders,
    ): Promise<void>;
  };
  download?: (platform: Platform, ids: readonly string[]) => Promise<StoredFile>;
  /** The reason for rejecting an expired link. */
  expired?: Reason;
}

/** By the letters that a link of each kind starts with. */
export type FileLinks = Readonly<Record<string, FileLink>>;

export interface StoredFile {
  /** Where it is in the store. */
  place: string;
  sizeBytes: number;
  /** The original name, under which it is saved. */
  filename: string;
  contentType: string;
  /** Unchanged as long as the content is. */
  etag: string;
  /** Set if many clients download it at the same time, so that its blocks are cached in memory. */
  isHot?: true;
  /** The device that downloads it, for which the bytes are counted. */
  device?: { projectId: string; deviceId: string };
}

/** A signed link that contains what it allows and when it expires, so that nothing is stored. */
export function fileUrl(
  { publicUrl, sealing }: Pick<Platform, 'publicUrl' | 'sealing'>,
  { kind, ids }: { kind: string; ids: readonly string[] },
  until: Date,
): string {
  const said = [kind, ...ids, Math.ceil(until.getTime() / 1000).toString(36)].join('.');
  return `${publicUrl()}/files/${said}.${signature(sealing, said)}`;
}

/** Verifies a token and returns its content, and whether it has expired. */
export function readLink(
  { sealing, clock }: Pick<Platform, 'sealing' | 'clock'>,
  token: string,
): { kind: string; ids: string[]; hasExpired: boolean } {
  const end = token.lastIndexOf('.');
  const [said, given] = [token.slice(0, end), Buffer.from(token.slice(end + 1))];
  const expected = Buffer.from(signature(sealing, said));
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  const [kind = '', ...ids] = said.split('.');
  const until = Number.parseInt(ids.pop() ?? '', 36) * 1000;
  if (!isOurs) throw new Problem('LINK_EXPIRED');
  return { kind, ids, hasExpired: clock().getTime() >= until };
}

/** Domain separation: the signature cannot be mistaken for another use of the same secret. */
function signature(sealing: Platform['sealing'], said: string): string {
  return sealing.mac(`file link ${said}`).toString('base64url');
}
