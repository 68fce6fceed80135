import type { Attempt } from '#contract/moduleRun.ts';
import { Problem } from '#contract/problem.ts';
import { dayS } from '#rules/time/durations.ts';
import { OutsideFault } from '#server/infra/outside/faults.ts';
import type { Outside, OutsideAnswer } from '#server/infra/outside/fetchOutside.ts';
import type { Outcome } from '#server/modules/smartModules/moduleType.ts';

const answerMs = 10_000;
/** Limit for the parts of a request and of an answer that are stored in a run; longer ones are cut. */
const keptBytes = 16 * 1024;
const headersMax = 50;
const headerCharsMax = 500;
const retryAfterMaxS = dayS;

type Sent = NonNullable<Attempt['sent']>;

interface Call {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal?: AbortSignal | undefined;
}

/** Posts a body and returns the outcome. Only the status of the answer decides. */
export async function deliver(outside: Outside, { url, headers, body, signal }: Call): Promise<Outcome> {
  const sent: Sent = { method: 'POST', url, headers: masked(headers), body: cutText(body) };
  const began = performance.now();
  try {
    const answer = await outside.fetchOutside(url, {
      method: 'POST',
      headers,
      body,
      signal,
      bytesMax: keptBytes,
      cutsBody: true,
      timeoutMs: answerMs,
    });
    const ms = Math.max(1, Math.round(performance.now() - began));
    return { ...outcomeOf(answer, ms), sent, answered: answeredOf(answer) };
  } catch (error) {
    if (error instanceof OutsideFault || error instanceof Problem)
      return { isOk: false, summary: error.message, sent };
    throw error;
  }
}

function outcomeOf({ status, headers }: OutsideAnswer, ms: number): Outcome {
  const summary = `${status} in ${ms} ms`;
  if (status >= 200 && status < 300) return { isOk: true, summary };
  if (status === 410)
    return {
      isOk: false,
      isFinal: true,
      summary,
      suspend: 'The address answered 410 Gone, which asks for no more events',
    };
  if (status >= 300 && status < 400)
    return { isOk: false, summary: `${summary}: redirects are not followed. Enter the address itself.` };
  const retryAfterS = retryAfter(headers.get('retry-after'));
  return { isOk: false, summary, ...(retryAfterS !== undefined && { retryAfterS }) };
}

/** Parses seconds or a date, limited to one day. */
function retryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const seconds = /^\d{1,9}$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), retryAfterMaxS) : undefined;
}

function answeredOf({ status, headers, body }: OutsideAnswer): NonNullable<Attempt['answered']> {
  const shown = [...headers].slice(0, headersMax).map(([name, value]): [string, string] => [
    name,
    // The cookies of an answer are meant only for its caller.
    name === 'set-cookie' ? '…' : value.slice(0, headerCharsMax),
  ]);
  // PostgreSQL cannot store NUL in text.
  return {
    status,
    headers: Object.fromEntries(shown),
    body: body.toString('utf8').replaceAll('\0', '\ufffd'),
  };
}

function masked(headers: Call['headers']): Sent['headers'] {
  const secret = new Set(['authorization', 'webhook-signature']);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secret.has(name) ? '…' : value]),
  );
}

function cutText(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= keptBytes ? text : `${bytes.subarray(0, keptBytes).toString('utf8')}…`;
}
