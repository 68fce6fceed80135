// What the package says of itself. That it says the same as the code is checked in `appTypes.test.ts`.

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
  /** Where the platform is, as `https://mooring.example.com`. */
  url: string;
  /** The app and its project: `thermo@prj_…`, or with the public alias of the project. */
  app: string;
  /** What remembers the session: `localStorage` unless given; `AsyncStorage` in React Native. */
  storage?: Storage;
  /** What the user finds in the list of sessions, as `Mari’s phone`. */
  deviceName?: string;
  fetch?: (url: string, init?: RequestInit) => Promise<Response>;
}

export interface Storage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}
export type StreamState = 'off' | 'connecting' | 'live' | 'waiting';
/** `reason` where the session ended otherwise than by signing out here. */
export type SessionChange = { user: Me | undefined; reason?: string };
type Proof = { email?: string; code?: string; token?: string };
type Range = { begin: string; end: string; maxEntries?: number; after?: string };

export function createApp(options: AppOptions): App;

export class App {
  private constructor();
  /** Who is signed in, as this device remembers it. */
  user(): Promise<Me | undefined>;
  onSession(hear: (change: SessionChange) => void): Stop;
  onStream(hear: (state: StreamState) => void): Stop;
  /** All that the stream tells; it is open as long as somebody listens. */
  onMessage(hear: (message: StreamMessage) => void): Stop;
  reconnect(): void;
  /** Sends a code to the address, for `verify`. */
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
  /** With the tokens of a session that the developer's own back end started. */
  startWith(tokens: Tokens): Promise<Me>;
  session(): Promise<SessionInfo | undefined>;
  /** Exchanges the tokens now; otherwise this happens by itself, before the access token ends. */
  refreshSession(): Promise<void>;
  signOut(): Promise<void>;
  /** The address to open in a browser; it comes back to `redirectUri`, for `finishMethod`. */
  startMethod(methodId: string, redirectUri: string, more?: { link?: boolean }): Promise<string>;
  finishMethod(cameBackTo: string): Promise<Me>;
  startReset(email: string): Promise<void>;
  reset(proof: Proof & { newPassword: string }): Promise<void>;
  config(): Promise<AppConfig>;
  me(): Promise<Me>;
  sessions(): Promise<Session[]>;
  endSession(sessionId: string): Promise<void>;
  homes(): Promise<MyHome[]>;
  createHome(name: string, timeZone?: string): Promise<MyHome>;
  /** A home that is kept as it is until it is closed, with its devices. */
  openHome(homeId: string): Promise<LiveHome>;
  invitations(): Promise<MyInvitation[]>;
  accept(invitation: { invitationId?: string; token?: string }): Promise<MyHome>;
  decline(invitationId: string): Promise<void>;
  /** Whatever else there is, by its name in the reference: `app.call('exportMe')`. */
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
  /** Any path of the app API, as `/homes/1041/appProxy/recipes`. */
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
  /** By name. */
  readonly devices: LiveDevice[];
  /** False: the home was deleted, or the user is no member any more. */
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
  /** With what was set here and is on its way; it goes back where the platform refuses it. */
  readonly desired: JsonObject;
  /** What a control shows: what is desired, and else what is reported. */
  readonly shown: JsonObject;
  readonly delta: JsonObject;
  /**
   * The firmware that it is to run, and whether that can be approved or put off; null if none was assigned. Undefined
   * until `readUpdate` is called or something becomes of it; from then on it is kept.
   */
  readonly update: MyUpdate | null | undefined;
  onChange(hear: (device: LiveDevice) => void): Stop;
  /** Changes the desired state by a merge patch. */
  set(patch: JsonObject): Promise<void>;
  /** Answers what the device answered; rejects with `CommandFailed` where it failed or expired. */
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
  /** Reads `update`. */
  readUpdate(): Promise<MyUpdate | null>;
  /** Has it install an update that waits for consent, or not before a time. */
  answerUpdate(
    answer: { sequence: number; answer: 'install' } | { sequence: number; answer: 'later'; until: string },
  ): Promise<MyUpdate>;
  events(query: Range & { name?: string }): Promise<DeviceEvent[]>;
  /** Newest first. */
  alerts(query?: AlertQuery): Promise<MyAlert[]>;
  refresh(): Promise<void>;
}

/** A call that was refused, by its reason; `CONNECTION_ERROR` means there was no answer. */
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
