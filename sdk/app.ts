import type { MyHome } from '#contract/appApi/home.ts';
import type { Me, Tokens } from '#contract/appApi/session.ts';
import type { StreamMessage } from '#contract/appApi/stream.ts';
import { Api, type Args } from './app/api.ts';
import type { AnswerOf, CallName, InputOf } from './app/calls.ts';
import { EventStream, type StreamState } from './app/eventStream.ts';
import { LiveHome } from './app/liveHome.ts';
import { type Storage, storageHere } from './app/memory.ts';
import { MethodSignIn } from './app/methodSignIn.ts';
import type { StreamSocketClass } from './app/readWebSocket.ts';
import { type SessionChange, type SessionInfo, SessionKeeper } from './app/sessionKeeper.ts';
import { withinTime } from './app/withinTime.ts';
import type { Hear, Stop } from './connection/listeners.ts';
import type { Fetch } from './fetch.ts';

export type { MyDevice } from '#contract/appApi/device.ts';
export type { MyHome, MyInvitation } from '#contract/appApi/home.ts';
export type { Me, Tokens } from '#contract/appApi/session.ts';
export type { StreamMessage } from '#contract/appApi/stream.ts';
export { CallFailed } from '#contract/client.ts';
export { CommandFailed } from './app/commandFinished.ts';
export type { StreamState } from './app/eventStream.ts';
export { LiveDevice } from './app/liveDevice.ts';
export type { HomeEvent } from './app/liveHome.ts';
export { LiveHome } from './app/liveHome.ts';
export type { Storage } from './app/memory.ts';
export { SignInFailed } from './app/methodSignIn.ts';
export type { Frame } from './app/readSse.ts';
export type { SessionChange, SessionInfo } from './app/sessionKeeper.ts';
export type { Json, JsonObject } from './json.ts';

export interface AppOptions {
  /** The URL of the platform: `https://mooring.example.com`. */
  url: string;
  /** The app and its project: `thermo@prj_…`, or the project's public alias instead of its id. */
  app: string;
  /** Stores the session; `localStorage` by default. */
  storage?: Storage;
  /** The name shown in the user's list of sessions: `Mari’s phone`. */
  deviceName?: string;
  /** Replace the runtime's own `fetch` and `WebSocket`. */
  fetch?: Fetch;
  WebSocket?: StreamSocketClass;
}

/** How long signing out waits for the platform, while somebody looks at the screen. */
const signOutMs = 10_000;

/** An app for end users: the signed-in user, their homes, and what happens there. */
export function createApp(options: AppOptions): App {
  return new App(options);
}

type Body<Name extends CallName> = InputOf<Name> extends { body?: infer B } ? NonNullable<B> : never;

export class App {
  readonly #api: Api;
  readonly #keeper: SessionKeeper;
  readonly #stream: EventStream;
  readonly #methods: MethodSignIn;
  readonly #deviceName: string | undefined;

  constructor({ url, app, storage = storageHere(), deviceName, ...options }: AppOptions) {
    const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    const name = `mooring ${app}`;
    const api = new Api(`${url.replace(/\/+$/, '')}/app/v1/${app}`, fetch, () => this.#keeper);
    this.#api = api;
    this.#keeper = new SessionKeeper(storage, name, (refreshToken, idempotencyKey) =>
      api.callOpenly('refreshSession', { body: { refreshToken }, idempotencyKey }),
    );
    const socket = options.WebSocket ?? (globalThis.WebSocket as StreamSocketClass | undefined);
    this.#stream = new EventStream(api, socket);
    this.#methods = new MethodSignIn(api, storage, name);
    this.#deviceName = deviceName;
    this.#keeper.onChange(({ user }) => (user ? this.#stream.restart() : this.#stream.pause()));
  }

  /** The signed-in user, as stored on this device. */
  user(): Promise<Me | undefined> {
    return this.#keeper.user();
  }

  /** Called when somebody signs in or out, here or in another tab, or when the session ends. */
  onSession(hear: Hear<SessionChange>): Stop {
    return this.#keeper.onChange(hear);
  }

  /** The state of the event stream. */
  onStream(hear: Hear<StreamState>): Stop {
    return this.#stream.state.add(hear);
  }

  /**
   * Called when messages may have been missed: when the stream is opened for the first time or after a sign-in, and when
   * it was interrupted for more than 24 hours. Open homes and their devices read themselves again. Read again whatever
   * else you show: `homes()`, `invitations()`, and alerts.
   */
  onReset(hear: Hear<void>): Stop {
    return this.#stream.listen({ reset: hear });
  }

  /** All messages of the event stream, for all homes. The stream is open as long as there is a listener. */
  onMessage(hear: Hear<StreamMessage>): Stop {
    return this.#stream.listen({ message: hear });
  }

  /** Reconnects the stream at once if it is waiting for its next attempt; call this when the network is back. */
  reconnect(): void {
    this.#stream.resume();
  }

  /** Sends a code for `verify` to the address. The answer is the same whether or not the address is known. */
  register(account: Body<'register'>): Promise<void> {
    return this.#api.callOpenly('register', { body: account });
  }

  /** Takes the code or the token from the e-mail. */
  verify(proof: Body<'verify'>): Promise<AnswerOf<'verify'>> {
    return this.#api.callOpenly('verify', { body: proof });
  }

  resendCode(email: string): Promise<void> {
    return this.#api.callOpenly('startVerification', { body: { email } });
  }

  async signIn(email: string, password: string): Promise<Me> {
    const body = { email, password, ...this.#named, ...(await this.#keeper.deviceToken()) };
    const tokens = await this.#api.callOpenly('signIn', { body });
    await this.#keeper.start(tokens);
    return tokens.user;
  }

  /** Uses the tokens of a session that the developer's own back end started. */
  async startWith(tokens: Tokens): Promise<Me> {
    await this.#keeper.start(tokens);
    return tokens.user;
  }

  /** When the session and its access token expire. */
  session(): Promise<SessionInfo | undefined> {
    return this.#keeper.session();
  }

  /** Refreshes the tokens now; otherwise this happens automatically before the access token expires. */
  async refreshSession(): Promise<void> {
    await this.#keeper.refresh();
  }

  /** Ends the session on this device, even if the platform cannot be reached. */
  async signOut(): Promise<void> {
    const left = await this.#keeper.session();
    await withinTime(signOutMs, signal => this.#api.call('signOut', { signal })).catch(() => undefined);
    // Somebody may have signed in while the call was waiting.
    if ((await this.#keeper.session())?.id === left?.id) await this.#keeper.end();
  }

  /** Returns the URL to open in a browser. The browser comes back to `redirectUri`; pass that URL to `finishMethod`. */
  startMethod(
    methodId: string,
    redirectUri: string,
    more?: { link?: boolean; invitation?: string },
  ): Promise<string> {
    return this.#methods.start(methodId, redirectUri, more);
  }

  async finishMethod(cameBackTo: string): Promise<Me> {
    const tokens = await this.#methods.finish(cameBackTo, this.#deviceName);
    await this.#keeper.start(tokens);
    return tokens.user;
  }

  startReset(email: string): Promise<void> {
    return this.#api.callOpenly('startUserPasswordReset', { body: { email } });
  }

  reset(proof: Body<'resetUserPassword'>): Promise<void> {
    return this.#api.callOpenly('resetUserPassword', { body: proof });
  }

  config(): Promise<AnswerOf<'readAppConfig'>> {
    return this.#api.callOpenly('readAppConfig');
  }

  me(): Promise<AnswerOf<'readMe'>> {
    return this.#api.call('readMe');
  }

  sessions(): Promise<AnswerOf<'listMySessions'>> {
    return this.#api.call('listMySessions');
  }

  endSession(sessionId: string): Promise<void> {
    return this.#api.call('endMySession', { params: { sessionId } });
  }

  homes(): Promise<MyHome[]> {
    return this.#api.call('listMyHomes');
  }

  /** If there was no answer, call this again: it returns the home that the first call may have created. */
  createHome(name: string, timeZone = timeZoneHere()): Promise<MyHome> {
    return this.#api.callOnce('createMyHome', { body: { name, timeZone } });
  }

  /** Opens a home that is kept up to date, with its devices, until it is closed. */
  async openHome(homeId: string): Promise<LiveHome> {
    const about = await this.#api.call('readMyHome', { params: { homeId } });
    const home = new LiveHome({ api: this.#api, stream: this.#stream }, about);
    try {
      await home.refresh();
    } catch (error) {
      home.close();
      throw error;
    }
    return home;
  }

  /** Invitations sent to the user's e-mail address. */
  invitations(): Promise<AnswerOf<'listMyInvitations'>> {
    return this.#api.call('listMyInvitations');
  }

  accept(invitation: Body<'acceptInvitation'>): Promise<MyHome> {
    return this.#api.callOnce('acceptInvitation', { body: invitation });
  }

  decline(invitationId: string): Promise<void> {
    return this.#api.call('declineInvitation', { params: { invitationId } });
  }

  /** Makes any call of the app API by its name in the reference: `app.call('exportMe')`. */
  call<Name extends CallName>(name: Name, ...args: Args<Name>): Promise<AnswerOf<Name>> {
    return this.#api.call(name, ...args);
  }

  /**
   * Fetches any path of the app API with the user's token, such as a proxy route of your own back end:
   * `app.fetch('/homes/1041/appProxy/recipes')`.
   */
  fetch(path: string, init?: RequestInit): Promise<Response> {
    return this.#api.send(this.#api.baseUrl + path, init);
  }

  /** Stops listening; the user stays signed in. */
  close(): void {
    this.#stream.close();
  }

  get #named(): { deviceName?: string } {
    return this.#deviceName === undefined ? {} : { deviceName: this.#deviceName };
  }
}

function timeZoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
