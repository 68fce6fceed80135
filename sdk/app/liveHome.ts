import type { MyDevice } from '#contract/appApi/device.ts';
import type { MyHome } from '#contract/appApi/home.ts';
import type { StreamMessage } from '#contract/appApi/stream.ts';
import { CallFailed } from '#contract/client.ts';
import { type Hear, Listeners, type Stop } from '../connection/listeners.ts';
import type { AnswerOf, InputOf } from './calls.ts';
import type { AppContext } from './context.ts';
import { GuestWatch } from './guestWatch.ts';
import { LiveDevice } from './liveDevice.ts';
import { randomText } from './random.ts';

export type HomeAlert = Extract<StreamMessage, { type: 'alert' }>;
export type HomeEvent = Extract<StreamMessage, { type: 'event' }>;
type Invitation = InputOf<'inviteToHome'>['body'];

/** A home that is kept as it is, with its devices, until `close`. */
export class LiveHome {
  readonly id: string;
  readonly #context: AppContext;
  readonly #changes = new Listeners<LiveHome>();
  readonly #events = new Listeners<HomeEvent>();
  readonly #alerts = new Listeners<HomeAlert>();
  readonly #devices = new Map<string, LiveDevice>();
  /** The keys of calls to provision that may have been carried out, by what they asked for. */
  readonly #unanswered = new Map<string, string>();
  readonly #stop: Stop;
  readonly #guestWatch: GuestWatch;
  #about: MyHome;
  #reading: Promise<void> | undefined;
  #isGone = false;
  #isClosed = false;

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

  /** Name, role and rights of the user. */
  get about(): MyHome {
    return this.#about;
  }

  /** By name. */
  get devices(): LiveDevice[] {
    return [...this.#devices.values()].sort((a, b) => a.about.name.localeCompare(b.about.name));
  }

  /** False: the home was deleted, or the user is no member any more. */
  get isOpen(): boolean {
    return !this.#isGone;
  }

  /** After each change of the home or of one of its devices. */
  onChange(hear: Hear<LiveHome>): Stop {
    return this.#changes.add(hear);
  }

  /** Events of its devices, and those that a back end sent. */
  onEvent(hear: Hear<HomeEvent>): Stop {
    return this.#events.add(hear);
  }

  /** Alerts of its devices that are raised, acknowledged, resolved or reopened, or whose severity changes. */
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

  /** Claims a device by the code that came with it. */
  async claim(claimCode: string): Promise<LiveDevice> {
    const device = await this.#context.api.call('claimDevice', { body: { claimCode, homeId: this.id } });
    return this.#include(device);
  }

  /**
   * Creates a device whose hardware is given the id and the key. Call it again if no answer came: that answers with the
   * device which the first call may have created.
   */
  async provision(deviceClass: string, name?: string): Promise<{ device: LiveDevice; apiKey: string }> {
    const body = { deviceClass, ...(name !== undefined && { name }) };
    const wanted = JSON.stringify(body);
    const idempotencyKey = this.#unanswered.get(wanted) ?? randomText(32);
    // Two that are wanted at once are two devices.
    this.#unanswered.delete(wanted);
    const asked = { params: { homeId: this.id }, body, idempotencyKey };
    const { device, apiKey } = await this.#context.api.call('provisionDevice', asked).catch(error => {
      if (isUnanswered(error)) this.#unanswered.set(wanted, idempotencyKey);
      throw error;
    });
    return { device: await this.#include(device), apiKey };
  }

  members(): Promise<AnswerOf<'listMyHomeMembers'>> {
    return this.#context.api.call('listMyHomeMembers', { params: { homeId: this.id } });
  }

  /** By e-mail, to a role below one's own; a guest with the devices and the time that are open to them. */
  invite(invitation: Invitation): Promise<AnswerOf<'inviteToHome'>> {
    return this.#context.api.call('inviteToHome', { params: { homeId: this.id }, body: invitation });
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

  /** Reads the home and its devices anew; several that ask meanwhile get the same answer. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Stops following it. */
  close(): void {
    this.#isClosed = true;
    this.#guestWatch.stop();
    this.#stop();
  }

  async #read(): Promise<void> {
    const { api } = this.#context;
    const params = { homeId: this.id };
    // One that is claimed while they are read may be missing in the answer, and is handed out by then.
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
    // They are there before their states are asked for, and hear what happens meanwhile.
    const read = new Map(devices.map(device => [device.id, this.#described(device).reading()]));
    const states = await api.call('listMyStates', { params, query: { limit: 999 } });
    await Promise.all(states.map(({ deviceId, ...state }) => read.get(deviceId)?.(state)));
    this.#watchGuest();
    this.#tell();
  }

  #watchGuest(): void {
    if (!this.#isClosed) this.#guestWatch.follow(this.#about, this.#devices.size > 0);
  }

  /** The time of the guest has begun or ended; where that cannot be read, it is tried again later. */
  async #readInTime(): Promise<void> {
    await this.refresh().catch(() => this.#watchGuest());
  }

  /** It is in the home by now: where its state cannot be read, it is read later. */
  async #include(about: MyDevice): Promise<LiveDevice> {
    const device = this.#described(about);
    await device.refresh().catch(() => this.#readSoon());
    return device;
  }

  /** The device, kept from now on. */
  #described(about: MyDevice): LiveDevice {
    const known = this.#devices.get(about.id);
    const device = known ?? new LiveDevice(this.#context, about);
    if (!known) {
      this.#devices.set(about.id, device);
      device.onChange(() => this.#tell());
    }
    device.describe(about);
    return device;
  }

  #take(message: StreamMessage): void {
    if (message.homeId !== this.id) return;
    switch (message.type) {
      case 'event':
        this.#events.tell(message);
        break;
      case 'alert':
        this.#alerts.tell(message);
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
    this.#tell();
    // What is being read may bring it back.
    if (this.#reading) this.#readSoon();
  }

  /** Where it fails, the next connection reads it, or who asks for it by `refresh`. */
  #readSoon(): void {
    // One that is being read may have missed this.
    const before = this.#reading ?? Promise.resolve();
    const after = () => this.refresh().catch(() => undefined);
    void before.then(after, after);
  }

  /** The stream may have missed anything. Of updates it tells by itself, so that other readings leave them out. */
  #readAll(): void {
    this.#readSoon();
    for (const device of this.#devices.values()) device.readKeptUpdate().catch(() => undefined);
  }

  #leave(): void {
    this.#isGone = true;
    this.#devices.clear();
    this.close();
    this.#tell();
  }

  #tell(): void {
    this.#changes.tell(this);
  }
}

/** A failure of the server, or of the way to it, says nothing of what was done. */
const isUnanswered = (error: unknown) =>
  !(error instanceof CallFailed) || error.status === 0 || error.status >= 500;
