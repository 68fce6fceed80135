import type { Target, TargetComponent } from '#sdk/frames.ts';
import { checkTarget, differing, hasDelta, isExpired } from './checkTarget.ts';
import { download } from './download.ts';
import type { May } from './firmwareParts.ts';
import { fromDelta } from './fromDelta.ts';
import type { UpdateContext } from './updateContext.ts';
import { faultOf, UpdateFault } from './updateFault.ts';
import type { Pending } from './updateMemory.ts';

const installsMax = 3;
const rebootToldMs = 10_000;
/** Progress is reported in steps of this many percent. */
const percentStep = 5;

/**
 * `waits`: until `mayUpdate` is asked again. `superseded`: another target has arrived. `rebooted`: the trial of the new
 * version begins. `rebooting`: the device is about to go down; the next start finds out which version runs.
 */
export type RunEnd = 'settled' | 'waits' | 'superseded' | 'rebooted' | 'rebooting' | { postponedUntil: Date };

/** The update of a device to one target, up to the reboot. */
export class UpdateRun {
  target: Target;
  readonly #context: UpdateContext;
  readonly #abort = new AbortController();
  /** Once the installation has begun, the run is finished even if the target changes. */
  #isFinal = false;

  constructor(context: UpdateContext, target: Target) {
    this.#context = context;
    this.target = target;
  }

  get isAborted(): boolean {
    return this.#abort.signal.aborted;
  }

  abort(): void {
    if (!this.#isFinal) this.#abort.abort();
  }

  /** CHECK, WAIT, DOWNLOAD, VERIFY, READ TARGET AGAIN, INSTALL, REBOOT. */
  async run(): Promise<RunEnd> {
    const context = this.#context;
    const { device, deviceClass, trust } = context.options;
    // The target was received long ago; the platform's signature is valid for a day.
    if (trust?.platformKey && isExpired(this.target, context.now)) await this.#renew();
    this.#abort.signal.throwIfAborted();
    const { target } = this;
    await checkTarget(target, context.memory, { deviceId: device.id, now: context.now, deviceClass, trust });
    const components = differing(target, context.memory.installed);
    if (components.length === 0) return this.#alreadyRuns();
    const pending = await this.#begin(components);
    const isAsked = await this.#may('download');
    if (isAsked !== 'yes') return isAsked;
    await this.#download(components, pending);
    await this.#verify(components);
    const mayInstall = await this.#may('install');
    if (mayInstall !== 'yes') return mayInstall;
    const latest = await context.readTarget();
    this.#abort.signal.throwIfAborted();
    if (latest?.sequence !== target.sequence) {
      context.target = latest;
      return 'superseded';
    }
    return this.#install(components, pending);
  }

  async #alreadyRuns(): Promise<'settled'> {
    const context = this.#context;
    const { bundleId, sequence } = context.memory.installed;
    const isKnown = bundleId === this.target.bundleId && sequence === this.target.sequence;
    if (!isKnown) await context.settle(this.target);
    // If the connection does not accept it, the next start reports it.
    await context.options.device.reportInstalled(context.memory.installed).catch(() => undefined);
    return 'settled';
  }

  /** Continues from what is stored for this target, or starts from the beginning. */
  async #begin(components: TargetComponent[]): Promise<Pending> {
    const { memory, options } = this.#context;
    const { target } = this;
    if (memory.pending?.sequence === target.sequence) return memory.pending;
    const { parts } = options;
    const needed = components.reduce((sum, { size }) => sum + size, 0);
    if (parts.freeBytes && (await parts.freeBytes()) < needed)
      throw new UpdateFault('no_space', `The update needs ${needed} bytes.`);
    memory.pending = {
      sequence: target.sequence,
      stage: 'download',
      installs: 0,
      component: components[0]?.component ?? '',
      offset: 0,
      target: {
        ...target,
        components: target.components.map(({ delta: _, ...one }) => ({ ...one, url: '' })),
      },
    };
    await this.#context.save();
    this.#report({ state: 'accepted' });
    return memory.pending;
  }

  async #may(before: 'download' | 'install'): Promise<'yes' | RunEnd> {
    const answer = await this.#answer(before);
    this.#abort.signal.throwIfAborted();
    if (answer === 'yes') return answer;
    if (answer === 'decline') {
      this.#report({ state: 'declined', code: 'declined' });
      return 'waits';
    }
    if ('waitsFor' in answer) {
      this.#report({ state: 'ready', waitsFor: answer.waitsFor });
      return 'waits';
    }
    const { postponedUntil } = answer;
    const isTime = !Number.isNaN(postponedUntil.getTime());
    const until = (isTime ? postponedUntil : this.#context.now).toISOString();
    this.#report({ state: 'postponed', code: 'postponed', until });
    return answer;
  }

  /** The home's answer where its consent is needed; otherwise the answer of the device itself. */
  async #answer(before: 'download' | 'install'): Promise<May> {
    const { target, options, now } = this.#context;
    const { consent } = (target?.sequence === this.target.sequence && target) || this.target;
    const until = consent?.answer === 'later' ? new Date(consent.until ?? '') : undefined;
    if (until && until > now) return { postponedUntil: until };
    const answer = (await options.parts.mayUpdate?.(this.target, before)) ?? 'yes';
    const isAsked = typeof answer === 'object' && 'waitsFor' in answer && answer.waitsFor === 'consent';
    return isAsked && consent?.answer === 'install' ? 'yes' : answer;
  }

  async #download(components: TargetComponent[], pending: Pending): Promise<void> {
    const total = components.reduce((sum, { size }) => sum + size, 0);
    const first = components.findIndex(({ component }) => component === pending.component);
    let [before, told] = [0, -percentStep];
    for (const [index, one] of components.entries()) {
      const { component, size } = one;
      if (index > first && pending.component !== component) await this.#saveOffset(pending, component, 0);
      if (index >= first && pending.offset < size)
        await this.#fetch(one, pending, offset => {
          const percent = Math.floor((100 * (before + offset)) / total);
          if (percent < told + percentStep && (percent < 100 || told === 100)) return;
          told = percent;
          this.#report({ state: 'downloading', percent, component });
        });
      before += size;
    }
  }

  async #fetch(one: TargetComponent, pending: Pending, report: (offset: number) => void): Promise<void> {
    const { parts } = this.#context.options;
    const { signal } = this.#abort;
    report(pending.offset);
    if (parts.download) {
      await parts.download(this.#linked(one), signal).catch(asNetwork);
      signal.throwIfAborted();
    } else if (!(await this.#fromDelta(one, pending, report))) {
      await download({
        ...this.#ways(),
        size: one.size,
        offset: pending.offset,
        url: () => this.#linked(one).url,
        write: async (bytes, offset) => {
          await parts.write(one, bytes, offset);
          report(offset + bytes.length);
        },
        save: offset => this.#saveOffset(pending, one.component, offset),
      });
      return signal.throwIfAborted();
    }
    await this.#saveOffset(pending, one.component, one.size);
  }

  /** If anything goes wrong with a delta, the whole file is downloaded instead. */
  async #fromDelta(
    one: TargetComponent,
    pending: Pending,
    report: (offset: number) => void,
  ): Promise<boolean> {
    const { options, memory } = this.#context;
    const component = this.#linked(one);
    const { delta } = component;
    const isOffered = options.parts.patch && delta && hasDelta(component, memory.installed);
    if (!isOffered || pending.offset > 0 || pending.isWhole) return false;
    try {
      await fromDelta({
        ...this.#ways(),
        component,
        parts: options.parts,
        url: () => this.#linked(one).delta?.url ?? delta.url,
        report: bytes => report(Math.floor((one.size * bytes) / delta.size)),
      });
      return true;
    } catch {
      this.#abort.signal.throwIfAborted();
      pending.isWhole = true;
      await this.#context.save();
      return false;
    }
  }

  #ways() {
    const { options, wait } = this.#context;
    const { fetch = globalThis.fetch.bind(globalThis) } = options;
    return { fetch, wait, signal: this.#abort.signal, renew: () => this.#renew() };
  }

  /** The component with the latest link. */
  #linked(one: TargetComponent): TargetComponent {
    const { target } = this.#context;
    const latest = target?.sequence === this.target.sequence ? target : this.target;
    return latest.components.find(({ component }) => component === one.component) ?? one;
  }

  async #saveOffset(pending: Pending, component: string, offset: number): Promise<void> {
    this.#abort.signal.throwIfAborted();
    Object.assign(pending, { component, offset });
    await this.#context.save();
  }

  async #renew(): Promise<void> {
    const context = this.#context;
    const latest = await context.readTarget();
    this.#abort.signal.throwIfAborted();
    context.target = latest;
    if (latest?.sequence === this.target.sequence) this.target = latest;
    else this.#abort.abort();
  }

  async #verify(components: TargetComponent[]): Promise<void> {
    this.#report({ state: 'verifying' });
    for (const one of components) {
      const is = await this.#context.options.parts.checksum(one);
      this.#abort.signal.throwIfAborted();
      if (is.toLowerCase() !== one.sha256.toLowerCase())
        throw new UpdateFault('hash_mismatch', `The checksum of ${one.component} does not match.`);
    }
  }

  async #install(components: TargetComponent[], pending: Pending): Promise<RunEnd> {
    const context = this.#context;
    const { parts } = context.options;
    this.#isFinal = true;
    // A version whose installation is interrupted every time must not be installed forever.
    if (pending.installs >= installsMax)
      throw new UpdateFault('install_failed', 'The installation was interrupted repeatedly.');
    pending.installs += 1;
    pending.stage = 'install';
    await context.save();
    this.#report({ state: 'installing' });
    await parts.install(components, this.target);
    pending.stage = 'reboot';
    await context.save();
    const told = context.report({ state: 'rebooting', sequence: pending.sequence });
    const enough = new AbortController();
    await Promise.race([told, context.wait(rebootToldMs, enough.signal).catch(() => undefined)]);
    enough.abort();
    const isBack = (await parts.reboot()) === true;
    // `reboot` may return before the device goes down, so a running old version does not mean a rollback yet.
    return isBack || (await parts.bootedNew()) ? 'rebooted' : 'rebooting';
  }

  #report(progress: Parameters<UpdateContext['report']>[0]): void {
    void this.#context.report({ ...progress, sequence: this.target.sequence });
  }
}

/** A failure of the device's own download is harmless and is retried, unless it throws an `UpdateFault`. */
function asNetwork(error: unknown): never {
  throw faultOf(error, 'network');
}
