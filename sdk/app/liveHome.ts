import type { MyDevice } from '#contract/appApi/device.ts';
import type { MyHome } from '#contract/appApi/home.ts';
import type { StreamMessage } from '#contract/appApi/stream.ts';
import { CallFailed } from '#contract/client.ts';
import { byName } from '#rules/text/byName.ts';
import { backoffMs } from '../connection/backoff.ts';
import { type Hear, Listeners, type Stop } from '../connection/listeners.ts';
import { mayPass } from './api.ts';
import type { AnswerOf, InputOf } from './calls.ts';
import type { AppContext } from './context.ts';
import { GuestWatch } from './guestWatch.ts';
import { LiveDevice } from './liveDevice.ts';

export type HomeAlert = Extract<StreamMessage, { type: 'alert' }>;
export type HomeEvent = Extract<StreamMessage, { type: 'event' }>;
type Invitation = InputOf<'inviteToHome'>['body'];

/** A home that is kept up to date, with its devices, until `close`. */
export class LiveHome {
  readonly id: string;
  readonly #context: AppContext;
  readonly #changes = new Listeners<LiveHome>();
  readonly #events = new Listeners<HomeEvent>();
  readonly #alerts = new Listeners<HomeAlert>();
  readonly #devices = new Map<string, LiveDevice>();
  readonly #stop: Stop;
  readonly #guestWatch: GuestWatch;
  #about: MyHome;
  #reading: Promise<void> | undefined;
  #isGone = false;
  #isClosed = false;
  /** Reads again after failures. */
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(context: AppContext, about: MyHome) {
    this.#context = context;
    this.id = about.id;
    this.#about = about;
    this.#guestWatch = new GuestWatch(() => void this.#readInTime());
    this.#stop = context.stream.listen({
      message: message => this.#take(message),
      reset: () => this.#readAll(),
    });
  }

  /** The home's name, and the user's role and rights. */
  get about(): MyHome {
    return this.#about;
  }

  /** Sorted by name, "Room 2" before "Room 10". */
  get devices(): LiveDevice[] {
    return [...this.#devices.values()].sort((a, b) => byName(a.about.name, b.about.name));
  }

  /** False: the home was deleted, or the user is no longer a member. */
  get isOpen(): boolean {
    return !this.#isGone;
  }

  /** Called after each change of the home or of one of its devices. */
  onChange(hear: Hear<LiveHome>): Stop {
    return this.#changes.add(hear);
  }

  /** Called for events of its devices, and for events sent by a back end. */
  onEvent(hear: Hear<HomeEvent>): Stop {
    return this.#events.add(hear);
  }

  /** Called when an alert of its devices is raised, acknowledged, resolved or reopened, or changes its severity. */
  onAlert(hear: Hear<HomeAlert>): Stop {
    return this.#alerts.add(hear);
  }

  /** The alerts of its devices, newest first. */
  alerts(query: InputOf<'listMyHomeAlerts'>['query'] = {}): Promise<AnswerOf<'listMyHomeAlerts'>> {
    return this.#context.api.call('listMyHomeAlerts', { params: { homeId: this.id }, query });
  }

  /** Acknowledges, resolves or reopens an alert of one of its devices. */
  changeAlert(
    { id: alertId, deviceId }: { id: string; deviceId: string },
    change: InputOf<'changeMyAlert'>['body'],
  ): Promise<AnswerOf<'changeMyAlert'>> {
    return this.#context.api.call('changeMyAlert', { params: { deviceId, alertId }, body: change });
  }

  device(deviceId: string): LiveDevice | undefined {
    return this.#devices.get(deviceId);
  }

  /** Claims a device with the code that came with it. */
  async claim(claimCode: string): Promise<LiveDevice> {
    const device = await this.#context.api.call('claimDevice', { body: { claimCode, homeId: this.id } });
    return this.#include(device);
  }

  /**
   * Creates a device; the app passes its id and key to the hardware. If there was no answer, call this again: it
   * returns the device that the first call may have created.
   */
  async provision(deviceClass: string, name?: string): Promise<{ device: LiveDevice; apiKey: string }> {
    const body = { deviceClass, ...(name !== undefined && { name }) };
    const asked = { params: { homeId: this.id }, body };
    const { device, apiKey } = await this.#context.api.callOnce('provisionDevice', asked);
    return { device: await this.#include(device), apiKey };
  }

  members(): Promise<AnswerOf<'listMyHomeMembers'>> {
    return this.#context.api.call('listMyHomeMembers', { params: { homeId: this.id } });
  }

  /** Invites a user by e-mail to a role below one's own; for guests, with the devices and the time they can access. */
  invite(invitation: Invitation): Promise<AnswerOf<'inviteToHome'>> {
    return this.#context.api.callOnce('inviteToHome', { params: { homeId: this.id }, body: invitation });
  }

  invitations(): Promise<AnswerOf<'listMyHomeInvitations'>> {
    return this.#context.api.call('listMyHomeInvitations', { params: { homeId: this.id } });
  }

  revokeInvitation(invitationId: string): Promise<void> {
    return this.#context.api.call('revokeMyHomeInvitation', { params: { homeId: this.id, invitationId } });
  }

  removeMember(userId: string): Promise<void> {
    return this.#context.api.call('removeMyHomeMember', { params: { homeId: this.id, userId } });
  }

  /** Reads the home and its devices again; concurrent calls share one answer. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read()
      .catch(error => {
        if (error instanceof CallFailed && error.reason === 'HOME_NOT_FOUND') this.#leave();
        throw error;
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  /** Stops following the home. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#guestWatch.stop();
    this.#stop();
  }

  async #read(): Promise<void> {
    const { api } = this.#context;
    const params = { homeId: this.id };
    // A device that is claimed during the read may be missing in the answer, although it was already handed out.
    const before = new Map(this.#devices);
    const [about, devices] = await Promise.all([
      api.call('readMyHome', { params }),
      api.call('listMyDevices', { params, query: { limit: 999 } }),
    ]);
    if (this.#isGone) return;
    this.#about = about;
    const ids = new Set(devices.map(({ id }) => id));
    for (const [id, device] of before)
      if (!ids.has(id) && this.#devices.get(id) === device) this.#devices.delete(id);
    // The devices exist before their states are requested, so they receive messages in the meantime.
    const read = new Map(devices.map(device => [device.id, this.#described(device).reading()]));
    const states = await api.call('listMyStates', { params, query: { limit: 999 } });
    await Promise.all(states.map(({ deviceId, ...state }) => read.get(deviceId)?.(state)));
    this.#watchGuest();
    this.#notify();
    await Promise.all([...this.#devices.values()].map(device => device.readMissedUpdate()));
  }

  #watchGuest(): void {
    if (!this.#isClosed) this.#guestWatch.follow(this.#about, this.#devices.size > 0);
  }

  /** A guest's access has begun or ended; if the home cannot be read, this is retried later. */
  async #readInTime(): Promise<void> {
    await this.refresh().catch(() => this.#watchGuest());
  }

  /** The device already belongs to the home: if its state cannot be read, it is read later. */
  async #include(about: MyDevice): Promise<LiveDevice> {
    const device = this.#described(about);
    await device.refresh().catch(() => this.#readSoon());
    return device;
  }

  /** Returns the device, which is kept up to date from now on. */
  #described(about: MyDevice): LiveDevice {
    const known = this.#devices.get(about.id);
    const device = known ?? new LiveDevice(this.#context, about);
    if (!known) {
      this.#devices.set(about.id, device);
      device.onChange(() => this.#notify());
    }
    device.describe(about);
    return device;
  }

  #take(message: StreamMessage): void {
    if (message.homeId !== this.id) return;
    switch (message.type) {
      case 'event':
        this.#events.emit(message);
        break;
      case 'alert':
        this.#alerts.emit(message);
        break;
      case 'membership':
        if (message.role === undefined) this.#leave();
        else this.#readSoon();
        break;
      case 'home':
        if (message.what === 'deleted') this.#leave();
        else this.#readSoon();
        break;
      case 'device':
        if (message.what === 'removed') this.#remove(message.deviceId);
        else this.#readSoon();
        break;
      default:
        this.#devices.get(message.deviceId)?.take(message);
    }
  }

  #remove(deviceId: string): void {
    this.#devices.delete(deviceId);
    this.#notify();
    // The read in progress may bring the device back.
    if (this.#reading) this.#readSoon();
  }

  #readSoon(): void {
    // A read in progress may have missed this change.
    const before = this.#reading ?? Promise.resolve();
    const after = () => this.#readUntilRead();
    void before.then(after, after);
  }

  /** The stream does not announce the change again, so the home is read until this succeeds. */
  async #readUntilRead(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      await this.refresh();
      this.#failures = 0;
    } catch (error) {
      if (this.#isClosed || !mayPass(error)) return;
      this.#failures += 1;
      this.#retry = setTimeout(() => this.#readSoon(), backoffMs(this.#failures, false));
    }
  }

  /** The stream may have missed anything. */
  #readAll(): void {
    for (const device of this.#devices.values()) device.missUpdate();
    this.#readSoon();
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#devices.clear();
    this.close();
    this.#notify();
  }

  #notify(): void {
    this.#changes.emit(this);
  }
}
