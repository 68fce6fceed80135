import type { ProblemAnswer } from '#contract/problem.ts';

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  problem: Partial<ProblemAnswer>;
}

/** Sends a call as bytes, for requests that no typed client would send; by default JSON with the guard header. */
export async function rawCall(
  send: typeof fetch,
  [method, url]: [method: string, url: string],
  body?: string | Uint8Array<ArrayBuffer> | object,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const asText = typeof body === 'object' && !(body instanceof Uint8Array);
  const response = await send(url, {
    method,
    headers: {
      'x-console-guard': '1',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: asText ? JSON.stringify(body) : body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, problem: problemOf(text) };
}

function problemOf(text: string): Partial<ProblemAnswer> {
  try {
    return JSON.parse(text) as ProblemAnswer;
  } catch {
    return {};
  }
}
