import { timingSafeEqual } from 'node:crypto';
import { Problem } from '#contract/problem.ts';
import type { Platform } from '#server/platform.ts';

/** What a link allows whoever has it. */
export type Right =
  | { may: 'putLog' | 'getLog'; projectId: string; deviceId: string; requestId: string }
  | { may: 'putImport'; projectId: string; importId: string };

const letters = { putLog: 'pl', getLog: 'gl', putImport: 'pi' } as const;

/** An address at our door that says what may be done there until when, signed: nothing of it is stored. */
export function fileUrl(
  { publicUrl, sealing }: Pick<Platform, 'publicUrl' | 'sealing'>,
  right: Right,
  until: Date,
): string {
  const ids =
    right.may === 'putImport'
      ? [right.projectId, right.importId]
      : [right.projectId, right.deviceId, right.requestId];
  const said = [letters[right.may], ...ids, Math.ceil(until.getTime() / 1000).toString(36)].join('.');
  return `${publicUrl()}/files/${said}.${signature(sealing, said)}`;
}

/** What a token of ours says, while it holds. */
export function rightOf({ sealing, clock }: Pick<Platform, 'sealing' | 'clock'>, token: string): Right {
  const end = token.lastIndexOf('.');
  const [said, given] = [token.slice(0, end), Buffer.from(token.slice(end + 1))];
  const expected = Buffer.from(signature(sealing, said));
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  const [letter, ...words] = said.split('.');
  const until = Number.parseInt(words.pop() ?? '', 36) * 1000;
  if (!isOurs || clock().getTime() >= until) throw new Problem('LINK_EXPIRED');
  const [projectId = '', second = '', requestId = ''] = words;
  if (letter === letters.putImport) return { may: 'putImport', projectId, importId: second };
  const may = letter === letters.putLog ? 'putLog' : 'getLog';
  return { may, projectId, deviceId: second, requestId };
}

/** The words before keep it from being taken for any other hash under the same key. */
function signature(sealing: Platform['sealing'], said: string): string {
  return sealing.mac(`file link ${said}`).toString('base64url');
}
