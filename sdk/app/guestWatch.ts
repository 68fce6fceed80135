import type { MyHome } from '#contract/appApi/home.ts';
import { isWithinWindow } from '#rules/homes/guestWindow.ts';

/** Checks regularly, because long timers are inexact, and weekly windows have no next time that is known in advance. */
const lookMs = 30_000;

/** Reports when a guest's access begins or ends, because no message on the stream does. */
export class GuestWatch {
  readonly #turned: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(turned: () => void) {
    this.#turned = turned;
  }

  /** `isOpen`: whether the platform currently shows the guest any devices. */
  follow(home: MyHome, isOpen: boolean): void {
    this.stop();
    const { guest, timeZone } = home;
    if (!guest || guest.devices.length === 0) return;
    const from = guest.from === undefined ? undefined : new Date(guest.from);
    const until = guest.until === undefined ? undefined : new Date(guest.until);
    if (!from && !until && !guest.weekly) return;
    const now = Date.now();
    const ahead = [from, until].map(edge => (edge?.getTime() ?? 0) - now).filter(ms => ms > 0);
    this.#timer = setTimeout(
      () => {
        const window = { from, until, weekly: guest.weekly };
        if (isWithinWindow(window, { timeZone, now: new Date() }) === isOpen) this.follow(home, isOpen);
        else this.#turned();
      },
      Math.min(lookMs, ...ahead),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
