import { CallFailed, createClient } from '#contract/client.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import type { Fetch } from '../fetch.ts';
import { type AnswerOf, type CallName, endpointOf, type InputOf } from './calls.ts';
import type { SessionKeeper } from './sessionKeeper.ts';
import { isUnanswered, Unanswered } from './unanswered.ts';
import { withinTime } from './withinTime.ts';

/** The time limit of a call, including the refresh that it may need first. */
const callMs = minuteMs;
/** How long the platform keeps the answer to an idempotency key. */
const keptMs = dayMs;

/** The argument is optional if it has no required members. */
export type Args<Name extends CallName> =
  Record<string, never> extends InputOf<Name> ? [input?: InputOf<Name>] : [input: InputOf<Name>];

/** Makes calls of the app API with the token of the signed-in user. */
export class Api {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly #keeper: () => SessionKeeper;
  readonly #client: ReturnType<typeof createClient>;
  readonly #openClient: ReturnType<typeof createClient>;
  readonly #unanswered = new Unanswered();

  constructor(baseUrl: string, fetch: Fetch, keeper: () => SessionKeeper) {
    this.baseUrl = baseUrl;
    this.fetch = fetch;
    this.#keeper = keeper;
    this.#client = createClient({ baseUrl, fetch: this.#sendAs(true) });
    this.#openClient = createClient({ baseUrl, fetch: this.#sendAs(false) });
  }

  call<Name extends CallName>(name: Name, ...[input]: Args<Name>): Promise<AnswerOf<Name>> {
    return this.#callBy(this.#client, name, input);
  }

  /**
   * A call that must not be executed twice: if it got no answer and is made again within `againMs`, it gets the answer to
   * the first one.
   */
  callOnce<Name extends CallName>(
    name: Name,
    input: InputOf<Name>,
    againMs = keptMs,
  ): Promise<AnswerOf<Name>> {
    return this.#unanswered.once(JSON.stringify([name, input]), againMs, idempotencyKey =>
      this.#callBy(this.#client, name, { ...input, idempotencyKey }),
    );
  }

  /** Calls without a token: signing in and refreshing. */
  callOpenly<Name extends CallName>(name: Name, ...[input]: Args<Name>): Promise<AnswerOf<Name>> {
    return this.#callBy(this.#openClient, name, input);
  }

  #callBy<Name extends CallName>(
    client: ReturnType<typeof createClient>,
    name: Name,
    input: InputOf<Name> | undefined,
  ): Promise<AnswerOf<Name>> {
    // The arguments for a name are those of the endpoint with that name.
    const call = (signal: AbortSignal) =>
      client.call(endpointOf(name), ...([{ ...input, signal }] as never)) as Promise<AnswerOf<Name>>;
    return withinTime(callMs, call, input?.signal);
  }

  /** Sends the token in a header; if the token is refused, refreshes it and tries once more. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const keeper = this.#keeper();
    const tokens = await keeper.tokens();
    const answer = await this.#sendWith(path, init, tokens?.accessToken);
    if (answer.status !== 401 || tokens === undefined) return answer;
    const next = await keeper.tokens(tokens.accessToken);
    // Another user who signed in meanwhile did not make this call.
    if (next?.sessionId !== tokens.sessionId) return answer;
    return this.#sendWith(path, init, next.accessToken);
  }

  #sendWith(url: string, init: RequestInit, token: string | undefined): Promise<Response> {
    const headers = new Headers(init.headers);
    // This header is for the console, whose calls carry cookies; these calls do not.
    headers.delete('x-console-guard');
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return this.fetch(url, { ...init, headers, credentials: 'omit' });
  }

  #sendAs(isUser: boolean): typeof fetch {
    return (url, init = {}) =>
      isUser ? this.send(String(url), init) : this.#sendWith(String(url), init, undefined);
  }
}

/** Whether the call can be retried, because it was not refused. */
export function mayPass(error: unknown): boolean {
  return isUnanswered(error) || (error instanceof CallFailed && error.status === 429);
}
