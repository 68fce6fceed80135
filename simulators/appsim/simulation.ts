import { createStore } from '#console/core/store.ts';
import type { Failure } from '#console/ui/state/failureText.ts';
import {
  type App,
  CallFailed,
  createApp,
  type LiveHome,
  type Me,
  type MyHome,
  type SessionChange,
  type SessionInfo,
  SignInFailed,
  type StreamState,
} from '#sdk/app.ts';
import { type Address, appsimUrl } from './address.ts';
import { HomeFeed } from './feed/homeFeed.ts';
import { Navigation } from './phone/place.ts';
import { Trace } from './trace/trace.ts';
import { AppWire } from './wire/appWire.ts';

export type Config = Awaited<ReturnType<App['config']>>;

/** The simulated app: a client of the SDK like any other. */
export class AppSimulation {
  readonly address: Address;
  readonly app: App;
  readonly wire: AppWire;
  readonly trace: Trace;
  readonly navigation = new Navigation();
  readonly config = createStore<Config | CallFailed | undefined>(undefined);
  /** Null: nobody is signed in. Undefined: not known yet. */
  readonly user = createStore<Me | null | undefined>(undefined);
  /** Why the session ended, if the user did not sign out. */
  readonly ended = createStore<string | undefined>(undefined);
  readonly session = createStore<SessionInfo | undefined>(undefined);
  readonly stream = createStore<StreamState>('off');
  readonly isOffline = createStore(false);
  readonly homes = createStore<readonly MyHome[] | undefined>(undefined);
  /** The home on screen; undefined while it is being opened. */
  readonly home = createStore<LiveHome | undefined>(undefined);
  readonly feed = createStore<HomeFeed | undefined>(undefined);
  /** Counts stream messages about homes and their members; readers use it to know when to read again. */
  readonly homeChanges = createStore(0);
  /** The error of reading the homes, or of a sign-in with a provider. */
  readonly failure = createStore<Failure | undefined>(undefined);
  #opening = '';
  #wanted: string | undefined;
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #stopListening: (() => void) | undefined;

  constructor(address: Address) {
    this.address = address;
    this.#wanted = address.homeId;
    const { projectId, appId } = address;
    const name = `${appId}@${projectId}`;
    this.wire = new AppWire(`${window.location.origin}/app/v1/${name}`);
    this.app = createApp({
      url: window.location.origin,
      app: name,
      fetch: this.wire.fetch,
      deviceName: 'App simulator',
      storage: window.sessionStorage,
    });
    this.trace = new Trace(this.wire, deviceId => {
      const looked = this.app.call('listMyDesiredChanges', { params: { deviceId }, query: { limit: 5 } });
      // If this fails, the trace only has fewer hops.
      looked.catch(() => undefined);
    });
    this.app.onSession(change => this.#turned(change));
    this.app.onStream(state => this.stream.set(state));
    window.addEventListener('online', () => this.app.reconnect());
  }

  async start(): Promise<void> {
    const { cameBackTo } = this.address;
    await this.readConfig();
    if (cameBackTo) await this.app.finishMethod(cameBackTo).catch(error => this.#refused(error));
    const user = await this.app.user();
    if (user && !this.user.get()) this.#signedIn(user);
    else if (!user) this.user.set(null);
  }

  async readConfig(): Promise<void> {
    this.config.set(await this.app.config().catch(failureOf));
  }

  /** The redirect URI for providers; it must be among the redirects of the app. */
  get redirectUri(): string {
    return window.location.origin + appsimUrl(this.address);
  }

  setOffline(isOffline: boolean): void {
    this.isOffline.set(isOffline);
    this.wire.setOffline(isOffline);
    if (isOffline) return;
    this.app.reconnect();
    void this.readHomes();
  }

  /** Reads the homes, and opens the wanted one, or else the current one, or the first. Only one read runs at a time. */
  readHomes(wanted?: string): Promise<void> {
    this.#wanted = wanted ?? this.#wanted;
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      return this.#readHomes();
    });
    this.#reading = this.#next;
    return this.#next;
  }

  async #readHomes(): Promise<void> {
    const wanted = this.#wanted ?? this.home.get()?.id;
    this.#wanted = undefined;
    const user = this.user.get()?.id;
    const hasLeft = () => this.user.get()?.id !== user;
    try {
      const homes = await this.app.homes();
      // If another user has signed in meanwhile, they read their own homes.
      if (hasLeft()) return;
      this.homes.set(homes);
      this.failure.set(undefined);
      const next = homes.find(({ id }) => id === wanted) ?? homes[0];
      if (next?.id !== this.home.get()?.id || this.home.get()?.isOpen === false)
        await this.#openHome(next?.id);
      await this.#readSession();
    } catch (error) {
      if (hasLeft()) return;
      // A retry opens the same home.
      this.#wanted ??= wanted;
      this.#refused(error);
    }
  }

  /** Undefined: there is no home to open. */
  async #openHome(homeId: string | undefined): Promise<void> {
    this.#closeHome();
    if (homeId !== this.#opening) this.navigation.leaveHome();
    this.#opening = homeId ?? '';
    if (homeId === undefined) return;
    const home = await this.app.openHome(homeId);
    // Another home was chosen meanwhile.
    if (this.#opening !== homeId) return home.close();
    home.onChange(() => {
      if (!home.isOpen && this.home.get() === home) void this.readHomes();
    });
    this.feed.set(new HomeFeed(this.app, home));
    this.home.set(home);
  }

  #closeHome(): void {
    this.home.get()?.close();
    this.home.set(undefined);
    this.feed.get()?.close();
    this.feed.set(undefined);
  }

  noteHomeChange(): void {
    this.homeChanges.set(this.homeChanges.get() + 1);
  }

  async refreshSession(): Promise<void> {
    await this.app.refreshSession();
    await this.#readSession();
  }

  end(): void {
    this.#leave();
    this.app.close();
  }

  #turned({ user, reason }: SessionChange): void {
    if (user) this.#signedIn(user);
    else {
      this.ended.set(reason);
      this.#leave();
      this.user.set(null);
    }
  }

  #signedIn(user: Me): void {
    this.ended.set(undefined);
    this.failure.set(undefined);
    this.user.set(user);
    this.#stopListening?.();
    const changed = () => {
      this.noteHomeChange();
      void this.readHomes();
    };
    const stops = [
      this.app.onMessage(({ type }) => (type === 'membership' || type === 'home') && changed()),
      this.app.onReset(changed),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
    void this.readHomes();
  }

  #leave(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#opening = '';
    this.#closeHome();
    this.homes.set(undefined);
    this.navigation.show('home');
    this.session.set(undefined);
  }

  async #readSession(): Promise<void> {
    this.session.set(await this.app.session());
  }

  #refused(error: unknown): void {
    this.failure.set(error instanceof SignInFailed ? error : failureOf(error));
  }
}

/** Converts an error to a failed call; any unexpected error is a bug and is thrown. */
export function failureOf(error: unknown): CallFailed {
  if (error instanceof CallFailed) return error;
  if (error instanceof TypeError)
    return new CallFailed({ reason: 'CONNECTION_ERROR', message: error.message }, { status: 0 });
  throw error;
}
