// The public types of the package. `appTypes.test.ts` checks that they match the code.

import type {
  AlertQuery,
  AlertState,
  DeviceEvent,
  GuestAccess,
  HomeAlert,
  HomeEvent,
  Me,
  MyAlert,
  MyDevice,
  MyHome,
  MyHomeMember,
  MyInvitation,
  MyUpdate,
  Session,
  SessionInfo,
  StreamMessage,
  Tokens,
} from './appAnswers.js';

export type * from './appAnswers.js';

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };
export type Stop = () => void;

export interface AppOptions {
  /** The URL of the platform: `https://mooring.example.com`. */
  url: string;
  /** The app and its project: `thermo@prj_…`, or the project's public alias instead of its id. */
  app: string;
  /** Stores the session; `localStorage` by default. Use `AsyncStorage` in React Native. */
  storage?: Storage;
  /** The name shown in the user's list of sessions: `Mari’s phone`. */
  deviceName?: string;
  fetch?: (url: string, init?: RequestInit) => Promise<Response>;
}

export interface Storage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}
export type StreamState = 'off' | 'connecting' | 'live' | 'waiting';
/** `reason` is set if the session ended in any way but signing out here. */
export type SessionChange = { user: Me | undefined; reason?: string };
type Proof = { email?: string; code?: string; token?: string };
type Range = { begin: string; end: string; maxEntries?: number; after?: string };

export function createApp(options: AppOptions): App;

export class App {
  private constructor();
  /** The signed-in user, as stored on this device. */
  user(): Promise<Me | undefined>;
  onSession(hear: (change: SessionChange) => void): Stop;
  onStream(hear: (state: StreamState) => void): Stop;
  /**
   * Called when messages may have been missed: when the stream is opened for the first time or after a sign-in, and when
   * it was interrupted for more than 24 hours. Open homes and their devices read themselves again. Read again whatever
   * else you show: `homes()`, `invitations()`, and alerts.
   */
  onReset(hear: () => void): Stop;
  /** All messages of the event stream. The stream is open as long as there is a listener. */
  onMessage(hear: (message: StreamMessage) => void): Stop;
  reconnect(): void;
  /** Sends a code for `verify` to the address. */
  register(account: {
    email: string;
    password: string;
    name?: string;
    language?: string;
    invitation?: string;
  }): Promise<void>;
  verify(proof: Proof): Promise<{ email: string }>;
  resendCode(email: string): Promise<void>;
  signIn(email: string, password: string): Promise<Me>;
  /** Uses the tokens of a session that the developer's own back end started. */
  startWith(tokens: Tokens): Promise<Me>;
  session(): Promise<SessionInfo | undefined>;
  /** Refreshes the tokens now; otherwise this happens automatically before the access token expires. */
  refreshSession(): Promise<void>;
  signOut(): Promise<void>;
  /** Returns the URL to open in a browser. The browser comes back to `redirectUri`; pass that URL to `finishMethod`. */
  startMethod(
    methodId: string,
    redirectUri: string,
    more?: { link?: boolean; invitation?: string },
  ): Promise<string>;
  finishMethod(cameBackTo: string): Promise<Me>;
  startReset(email: string): Promise<void>;
  reset(proof: Proof & { newPassword: string }): Promise<void>;
  config(): Promise<AppConfig>;
  me(): Promise<Me>;
  sessions(): Promise<Session[]>;
  endSession(sessionId: string): Promise<void>;
  homes(): Promise<MyHome[]>;
  createHome(name: string, timeZone?: string): Promise<MyHome>;
  /** Opens a home that is kept up to date, with its devices, until it is closed. */
  openHome(homeId: string): Promise<LiveHome>;
  invitations(): Promise<MyInvitation[]>;
  accept(invitation: { invitationId?: string; token?: string }): Promise<MyHome>;
  decline(invitationId: string): Promise<void>;
  /** Makes any call of the app API by its name in the reference: `app.call('exportMe')`. */
  call(
    name: string,
    input?: {
      params?: Record<string, string>;
      query?: Record<string, unknown>;
      body?: unknown;
      ifMatch?: number;
      idempotencyKey?: string;
    },
  ): Promise<unknown>;
  /** Fetches any path of the app API, such as `/homes/1041/appProxy/recipes`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): void;
}

export interface AppConfig {
  app: string;
  project: { id: string; name: string };
  config: JsonObject;
  userAuthMessage: string;
  userAccountMode: 'email' | 'external';
  registration: 'open' | 'invitation';
  passwordLogin: boolean;
  methods: { id: string; label: string; description: string; iconUrl?: string | undefined }[];
  accessControl: 'legacy' | 'roles';
  homeCreation: boolean;
  onDemandProvisioning: boolean;
}

export class LiveHome {
  private constructor();
  readonly id: string;
  readonly about: MyHome;
  /** Sorted by name. */
  readonly devices: LiveDevice[];
  /** False: the home was deleted, or the user is no longer a member. */
  readonly isOpen: boolean;
  onChange(hear: (home: LiveHome) => void): Stop;
  onEvent(hear: (event: HomeEvent) => void): Stop;
  onAlert(hear: (alert: HomeAlert) => void): Stop;
  /** The alerts of its devices, newest first. */
  alerts(query?: AlertQuery): Promise<MyAlert[]>;
  changeAlert(
    alert: { id: string; deviceId: string },
    change: { state: AlertState; note?: string },
  ): Promise<MyAlert>;
  device(deviceId: string): LiveDevice | undefined;
  claim(claimCode: string): Promise<LiveDevice>;
  provision(deviceClass: string, name?: string): Promise<{ device: LiveDevice; apiKey: string }>;
  members(): Promise<MyHomeMember[]>;
  invite(invitation: {
    email: string;
    role: 'guest' | 'member' | 'admin';
    guest?: GuestAccess;
  }): Promise<unknown>;
  invitations(): Promise<unknown[]>;
  revokeInvitation(invitationId: string): Promise<void>;
  removeMember(userId: string): Promise<void>;
  refresh(): Promise<void>;
  close(): void;
}

export class LiveDevice {
  private constructor();
  readonly id: string;
  readonly about: MyDevice;
  readonly isConnected: boolean;
  readonly reported: JsonObject;
  /** Includes changes made here that are not confirmed yet; they are reverted if the platform refuses them. */
  readonly desired: JsonObject;
  /** The state to show in controls: the desired values, and otherwise the reported ones. */
  readonly shown: JsonObject;
  readonly delta: JsonObject;
  /**
   * The firmware that the device should run, and whether the update can be approved or postponed; null if none was
   * assigned. Undefined until `readUpdate` is called or the update changes; kept up to date from then on.
   */
  readonly update: MyUpdate | null | undefined;
  onChange(hear: (device: LiveDevice) => void): Stop;
  /** Changes the desired state by a merge patch. */
  set(patch: JsonObject): Promise<void>;
  /** Resolves with the device's answer; rejects with `CommandFailed` if the command failed or expired. */
  send(name: string, args?: Json, options?: { ttlS?: number }): Promise<Json | undefined>;
  rename(name: string): Promise<void>;
  release(): Promise<{ deviceId: string; claimCode: string }>;
  readClass(): Promise<{
    id: string;
    description: string;
    stateSchema?: Json | undefined;
    eventSchemas?: Record<string, Json> | undefined;
    commandSchemas?: Record<string, Json> | undefined;
  }>;
  /** Reads `update` from the platform. */
  readUpdate(): Promise<MyUpdate | null>;
  /** Approves an update that waits for consent, or postpones it. */
  answerUpdate(
    answer: { sequence: number; answer: 'install' } | { sequence: number; answer: 'later'; until: string },
  ): Promise<MyUpdate>;
  events(query: Range & { name?: string }): Promise<DeviceEvent[]>;
  /** Newest first. */
  alerts(query?: AlertQuery): Promise<MyAlert[]>;
  refresh(): Promise<void>;
}

/** A failed call, with its reason; `CONNECTION_ERROR` means that there was no answer. */
export class CallFailed extends Error {
  private constructor();
  readonly reason: string;
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly requestId: string | undefined;
  readonly retryAfterS: number | undefined;
}
export class CommandFailed extends Error {
  private constructor();
  readonly command: { id: string; name: string; stage: string; error?: string | undefined };
}
export class SignInFailed extends Error {
  private constructor();
  readonly reason: string;
}
