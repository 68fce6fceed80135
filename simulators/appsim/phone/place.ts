import { createStore, type Store } from '#console/core/store.ts';

/** A page of the app on top of its tab. */
export type Page =
  | { kind: 'homes' }
  | { kind: 'newHome' }
  | { kind: 'homeSettings' }
  | { kind: 'account' }
  | { kind: 'invite' }
  | { kind: 'member'; userId: string }
  | { kind: 'device'; deviceId: string };

/** Pages of the user, which do not belong to the home on screen. */
const ofUser: readonly Page['kind'][] = ['homes', 'newHome', 'account'];

export const tabs = ['home', 'members', 'alerts', 'events'] as const;
export type Tab = (typeof tabs)[number];

/** The current position in the app. */
export interface Place {
  tab: Tab;
  pages: readonly Page[];
}

export class Navigation {
  readonly place: Store<Place> = createStore<Place>({ tab: 'home', pages: [] });

  show(tab: Tab): void {
    this.place.set({ tab, pages: [] });
  }

  open(page: Page): void {
    const { tab, pages } = this.place.get();
    this.place.set({ tab, pages: [...pages, page] });
  }

  /** Another home is on screen: what was open for the one before must not act on this one. */
  leaveHome(): void {
    const { tab, pages } = this.place.get();
    this.place.set({ tab, pages: pages.filter(({ kind }) => ofUser.includes(kind)) });
  }

  back(): void {
    const { tab, pages } = this.place.get();
    this.place.set({ tab, pages: pages.slice(0, -1) });
  }
}
