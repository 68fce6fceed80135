import { CallFailed, createClient } from '#contract/client.ts';
import type { Fetch } from '../fetch.ts';
import { type AnswerOf, type CallName, endpointOf, type InputOf } from './calls.ts';
import type { SessionKeeper } from './sessionKeeper.ts';

/** The argument is optional where nothing of it is required. */
export type Args<Name extends CallName> =
  Record<string, never> extends InputOf<Name> ? [input?: InputOf<Name>] : [input: InputOf<Name>];

/** Makes calls of the app API, with the token of whoever is signed in. */
export class Api {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly #keeper: () => SessionKeeper;
  readonly #client: ReturnType<typeof createClient>;
  readonly #openClient: ReturnType<typeof createClient>;

  constructor(baseUrl: string, fetch: Fetch, keeper: () => SessionKeeper) {
    this.baseUrl = baseUrl;
    this.fetch = fetch;
    this.#keeper = keeper;
    this.#client = createClient({ baseUrl, fetch: this.#sendAs(true) });
    this.#openClient = createClient({ baseUrl, fetch: this.#sendAs(false) });
  }

  call<Name extends CallName>(name: Name, ...[input]: Args<Name>): Promise<AnswerOf<Name>> {
    // The tuple of arguments of one name is that of the endpoint of this name.
    return this.#client.call(endpointOf(name), ...([input] as never)) as Promise<AnswerOf<Name>>;
  }

  /** Without a token: signing in, and refreshing. */
  callOpenly<Name extends CallName>(name: Name, ...[input]: Args<Name>): Promise<AnswerOf<Name>> {
    return this.#openClient.call(endpointOf(name), ...([input] as never)) as Promise<AnswerOf<Name>>;
  }

  /** With the token in its header; once more with a new one, where the token was refused. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const keeper = this.#keeper();
    const tokens = await keeper.tokens();
    const answer = await this.#sendWith(path, init, tokens?.accessToken);
    if (answer.status !== 401 || tokens === undefined) return answer;
    const next = await keeper.tokens(tokens.accessToken);
    // Whoever signed in meanwhile did not ask for this.
    if (next?.sessionId !== tokens.sessionId) return answer;
    return this.#sendWith(path, init, next.accessToken);
  }

  #sendWith(url: string, init: RequestInit, token: string | undefined): Promise<Response> {
    const headers = new Headers(init.headers);
    // The header of the console, whose calls carry cookies; none go here.
    headers.delete('x-console-guard');
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return this.fetch(url, { ...init, headers, credentials: 'omit' });
  }

  #sendAs(isUser: boolean): typeof fetch {
    return (url, init = {}) =>
      isUser ? this.send(String(url), init) : this.#sendWith(String(url), init, undefined);
  }
}

/** Whether somebody should try again, and nothing was refused. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof CallFailed) || error.status === 0 || error.status === 429 || error.status >= 500;
}
