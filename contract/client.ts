import type { AnswerOf, AnyEndpoint, BodyOf, ListOptions, ParamsOf, QueryOf } from './endpoint.ts';
import type { Page } from './paging.ts';
import type { ProblemAnswer, Reason } from './problem.ts';

type Bare = Record<string, never>;
type Part<Name extends string, T> = Bare extends T ? { [N in Name]?: T } : { [N in Name]: T };

/** Called with the headers of the answer. */
type HearHeaders = (headers: Headers) => void;

/** The arguments of a call: only the parts that its endpoint declares. */
export type Input<E extends AnyEndpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  Part<'body', BodyOf<E>> & {
    ifMatch?: number;
    idempotencyKey?: string;
    signal?: AbortSignal;
    onHeaders?: HearHeaders;
  };

/**
 * A list returns a page, or all its rows if it is declared `whole`; a download returns its bytes, and every other call
 * its declared answer.
 */
export type Result<E extends AnyEndpoint> = E['list'] extends { whole: true }
  ? AnswerOf<E>
  : E['list'] extends ListOptions
    ? Page<AnswerOf<E> extends (infer Row)[] ? Row : never>
    : E['raw'] extends 'download'
      ? Blob
      : AnswerOf<E>;

/** One finished call, for the API inspector. */
export interface Recorded {
  name: string;
  method: string;
  url: string;
  startedAt: number;
  ms: number;
  status: number;
  /** Headers as sent: a call that is copied as curl needs all of them. */
  headers: Record<string, string>;
  requestBody: unknown;
  answer: unknown;
  requestId: string | undefined;
}

/** Why a call failed. `CONNECTION_ERROR` means there was no response. */
export class CallFailed extends Error {
  readonly reason: Reason | 'CONNECTION_ERROR';
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly context: unknown;
  readonly requestId: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor(
    answer: Omit<ProblemAnswer, 'reason'> & { reason: Reason | 'CONNECTION_ERROR' },
    more: { status: number; requestId?: string | undefined; retryAfterS?: number | undefined },
  ) {
    super(answer.message);
    this.name = 'CallFailed';
    this.reason = answer.reason;
    this.status = more.status;
    this.fields = answer.fields ?? {};
    this.context = answer.context;
    this.requestId = more.requestId;
    this.retryAfterS = more.retryAfterS;
  }
}

interface ClientOptions {
  /** Base URL of the API, without a trailing slash: `/api` or `http://127.0.0.1:8080/api`. */
  baseUrl: string;
  fetch?: typeof fetch;
  /** Called after every finished call. */
  onCall?: (call: Recorded) => void;
  /** Called with the headers of every answer, before the call ends. */
  onAnswered?: (headers: Headers, times: { sentAt: number; answeredAt: number }) => void;
}

/**
 * The part of an endpoint that a call needs at run time. The console bundles only this much of the contract.
 */
type Called = Pick<AnyEndpoint, 'name' | 'method' | 'path' | 'list' | 'form' | 'raw'>;

interface LooseInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  ifMatch?: number;
  idempotencyKey?: string;
  signal?: AbortSignal;
  onHeaders?: HearHeaders;
}

export type Client = ReturnType<typeof createClient>;

/** The typed client of the developer API: `client.call(editProject, { params: { projectId }, body: { name } })`. */
export function createClient({ baseUrl, fetch: send = globalThis.fetch, onCall, onAnswered }: ClientOptions) {
  async function call<E extends AnyEndpoint>(endpoint: E, ...[input]: Args<E>): Promise<Result<E>> {
    const { params, query, body, ifMatch, idempotencyKey, signal, onHeaders } = (input ?? {}) as LooseInput;
    const url = baseUrl + pathOf(endpoint, params ?? {}) + queryText(query ?? {});
    const headers: Record<string, string> = { 'x-console-guard': '1' };
    if (ifMatch !== undefined) headers['if-match'] = `"${ifMatch}"`;
    if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
    const payload = bodyText(endpoint, body, headers);
    const startedAt = Date.now();
    const done = (status: number, answer: unknown, requestId?: string) =>
      onCall?.({
        name: endpoint.name,
        method: endpoint.method,
        url,
        startedAt,
        ms: Date.now() - startedAt,
        status,
        headers,
        requestBody: body,
        answer,
        requestId,
      });
    const response = await send(url, {
      method: endpoint.method,
      headers,
      credentials: 'same-origin',
      ...(payload !== undefined && { body: payload }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      done(0, undefined);
      throw noAnswerCame();
    });
    onAnswered?.(response.headers, { sentAt: startedAt, answeredAt: Date.now() });
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const isFile = endpoint.raw === 'download' && response.ok;
    const { answer, isBroken } = await readAnswer(endpoint, response, { isFile, signal }).catch(error => {
      if (!signal?.aborted) done(0, undefined, requestId);
      throw error;
    });
    // Download bodies are never handed to the inspector.
    done(response.status, isFile ? undefined : answer, requestId);
    onHeaders?.(response.headers);
    if (!response.ok || isBroken) throw failure(response, answer, requestId);
    return (endpoint.list && !endpoint.list.whole ? page(response, answer) : answer) as Result<E>;
  }
  return { call };
}

/** The argument is optional when none of its members is required. */
type Args<E extends AnyEndpoint> = Bare extends Input<E> ? [input?: Input<E>] : [input: Input<E>];

export function pathOf(endpoint: Called, params: Record<string, string>): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function queryText(query: Record<string, unknown>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // An absent value differs from an empty one: channel `stable` is the empty string.
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) text.append(name, String(one));
  }
  return text.size ? `?${text}` : '';
}

function bodyText(endpoint: Called, body: unknown, headers: Record<string, string>): string | undefined {
  if (body === undefined) return undefined;
  headers['content-type'] = endpoint.form ? 'application/x-www-form-urlencoded' : 'application/json';
  return endpoint.form
    ? new URLSearchParams(body as Record<string, string>).toString()
    : JSON.stringify(body);
}

/**
 * The parsed response. `isBroken`: the body is not JSON, so it did not come from this server, whatever its
 * status.
 */
async function readAnswer(
  endpoint: Called,
  response: Response,
  { isFile, signal }: { isFile: boolean; signal: AbortSignal | undefined },
): Promise<{ answer: unknown; isBroken: boolean }> {
  // 202 only means that the call was received.
  if (response.status === 204 || response.status === 202) return { answer: undefined, isBroken: false };
  try {
    const answer: unknown = isFile ? await response.blob() : await response.json();
    return { answer, isBroken: false };
  } catch (error) {
    if (signal?.aborted) throw error;
    // Anything but text that is not JSON: the connection was cut in the middle of the answer.
    if (isFile || !(error instanceof SyntaxError)) throw noAnswerCame();
    return { answer: undefined, isBroken: endpoint.raw === undefined };
  }
}

/** `Content-Range: items 0-24/1034` */
function page(response: Response, answer: unknown): Page<unknown> {
  const items = answer as unknown[];
  const total = Number(response.headers.get('content-range')?.split('/')[1] ?? items.length);
  const nextCursor = response.headers.get('next-cursor');
  const totalIsLowerBound = response.headers.get('total-is-lower-bound') === '1';
  return { items, total, totalIsLowerBound, ...(nextCursor !== null && { nextCursor }) };
}

export function noAnswerCame(): CallFailed {
  const message = 'Mooring did not answer. Check your connection and try again.';
  return new CallFailed({ reason: 'CONNECTION_ERROR', message }, { status: 0 });
}

function failure(response: Response, answer: unknown, requestId: string | undefined): CallFailed {
  const known = answer as Partial<ProblemAnswer> | undefined;
  const retryAfter = Number(response.headers.get('retry-after'));
  return new CallFailed(
    {
      ...known,
      reason: known?.reason ?? 'DISABLED',
      message: known?.message ?? 'This function is disabled temporarily.',
    },
    { status: response.status, requestId, retryAfterS: retryAfter || undefined },
  );
}
