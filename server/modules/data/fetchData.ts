import { fetchedBytesMax } from '#contract/moduleData.ts';
import type { Attempt } from '#contract/moduleRun.ts';
import { Problem } from '#contract/problem.ts';
import { parseStrictJson } from '#rules/json/strictJson.ts';
import { OutsideFault } from '#server/infra/outside/faults.ts';
import type { OutsideAnswer } from '#server/infra/outside/fetchOutside.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { OpenModule, Outcome } from '#server/modules/smartModules/moduleType.ts';
import { findData, recordAttempt, storeData } from './dataStore.ts';
import type { FetchConfig } from './fetchConfig.ts';
import { sourceOf } from './fetchSource.ts';
import { partOf } from './jsonPointer.ts';

const answerMs = 10_000;
const redirectsMax = 3;
const shownChars = 4000;

type OfModule = Pick<OpenModule<FetchConfig>, 'projectId' | 'id' | 'config'>;

/** Fetches once, and stores the answer if it is valid. */
export async function fetchData(
  { db, outside }: Pick<Platform, 'db' | 'outside'>,
  module: OfModule,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<Outcome> {
  const { url, authorization, part } = module.config;
  const source = sourceOf(module.config);
  const kept = await findData(db, module);
  const asked = {
    accept: 'application/json',
    ...(kept?.source === source && conditions(kept)),
  };
  const sent = {
    method: 'GET',
    url,
    headers: { ...asked, ...(authorization && { authorization: '…' }) },
    body: '',
  };
  let answered: Attempt['answered'];
  try {
    const answer = await outside.fetchOutside(url, {
      headers: { ...asked, ...(authorization !== undefined && { authorization }) },
      bytesMax: fetchedBytesMax,
      timeoutMs: answerMs,
      redirectsMax,
      signal,
    });
    answered = answeredOf(answer);
    const read = answer.status === 304 && kept?.source === source ? 'same' : readValue(answer, part);
    if (read === 'same') {
      await recordAttempt(db, module, { at: now, isSame: true });
      return { isOk: true, summary: '304: nothing has changed', sent, answered };
    }
    const { headers } = answer;
    const tags = {
      etag: headers.get('etag')?.slice(0, tagMax),
      lastModified: headers.get('last-modified')?.slice(0, tagMax),
    };
    const text = JSON.stringify(read.value);
    await storeData(db, module, { text, at: now, source, ...tags });
    return { isOk: true, summary: `${answer.status}, ${sizeText(text)} kept`, sent, answered };
  } catch (error) {
    if (!(error instanceof Problem || error instanceof OutsideFault)) throw error;
    await recordAttempt(db, module, { at: now, fault: error.message });
    return { isOk: false, summary: error.message, sent, ...(answered && { answered }) };
  }
}

const tagMax = 1000;

function conditions({
  etag,
  lastModified,
}: {
  etag: string | null;
  lastModified: string | null;
}): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
}

/** The configured part of an answer. Throws an OutsideFault with the reason if there is none. */
function readValue({ status, body }: OutsideAnswer, part: string): { value: unknown } {
  if (status < 200 || status >= 300) throw new OutsideFault(`The server answered ${status}.`);
  const parsed = parseStrictJson(body.toString('utf8').replace(/^\uFEFF/, ''));
  if (!parsed.ok) throw new OutsideFault('The answer is not JSON.');
  const value = partOf(parsed.value, part);
  if (value === undefined) throw new OutsideFault(`The answer has nothing at ${part}.`);
  return { value };
}

function answeredOf({ status, headers, body }: OutsideAnswer): NonNullable<Attempt['answered']> {
  const shown = ['content-type', 'content-length', 'etag', 'last-modified', 'retry-after'].flatMap(
    (name): [string, string][] => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    },
  );
  const text = body.toString('utf8').replaceAll('\0', '\ufffd');
  return { status, headers: Object.fromEntries(shown), body: text.slice(0, shownChars).toWellFormed() };
}

function sizeText(text: string): string {
  const bytes = Buffer.byteLength(text);
  return bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`;
}
