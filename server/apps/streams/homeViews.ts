import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { HomeEvent } from '#server/people/homeEvents/readHomeEvents.ts';
import { isOpenToGuest, type RightsRow } from '#server/people/homes/rights.ts';

const itemsMax = 500;

interface Member extends Omit<RightsRow, 'homeId' | 'active'> {
  /** For a guest: the devices that are listed for them. */
  listed: ReadonlySet<string>;
}

interface HomeView {
  members: ReadonlyMap<string, Member>;
  /** When each device joined the home, in milliseconds. */
  ownedSinceMs: ReadonlyMap<string, number>;
}

interface MemberJson {
  userId: string;
  role: Member['role'];
  from: string | null;
  until: string | null;
  weekly: Member['guestWeekly'];
  listed: string[] | null;
}

/** A deleted home has no members. */
const nobody: HomeView = { members: new Map(), ownedSinceMs: new Map() };

/**
 * Who may see what in the homes that have listeners, read from the database. A home that changed is read again before
 * any later event of it is sent: the change has its own row among the events, in order.
 */
export class HomeViews {
  readonly #views = new Map<string, { listeners: number; view: HomeView | undefined }>();
  /** One read at a time, so that an older result never replaces a newer one. */
  readonly #batch: GroupCommit<string, undefined>;

  constructor(db: Db) {
    this.#batch = new GroupCommit({
      name: 'views of homes',
      run: async homeIds => {
        const views = await viewsOf(db, [...new Set(homeIds)]);
        for (const id of homeIds) this.#set(id, views.get(id) ?? nobody);
        return homeIds.map(() => undefined);
      },
      itemsMax,
      patient: true,
    });
  }

  get homeIds(): string[] {
    return [...this.#views.keys()];
  }

  add(homeId: string): void {
    const known = this.#views.get(homeId);
    if (known) known.listeners += 1;
    else this.#views.set(homeId, { listeners: 1, view: undefined });
  }

  remove(homeId: string): void {
    const known = this.#views.get(homeId);
    if (!known) return;
    known.listeners -= 1;
    if (known.listeners === 0) this.#views.delete(homeId);
  }

  /** Reads the homes that are not known yet. */
  load(homeIds: readonly string[]): Promise<void> {
    return this.read(homeIds.filter(id => this.#views.get(id)?.view === undefined));
  }

  async read(homeIds: readonly string[]): Promise<void> {
    await Promise.all(homeIds.filter(id => this.#views.has(id)).map(id => this.#batch.add(id)));
  }

  stop(): Promise<void> {
    return this.#batch.stop();
  }

  /** Whether a user may see this event now. Only for events to a home: a user may always see events to themselves. */
  maySee(event: HomeEvent, userId: string, now: Date): boolean {
    const { homeId, deviceId, type, name, ts } = event;
    const view = this.#views.get(homeId)?.view;
    const member = view?.members.get(userId);
    if (!view || !member) return false;
    const isGuest = member.role === 'guest';
    if (deviceId === null) return type !== 'event' || !isGuest || isOpenToGuest(member, now);
    if (isGuest && (!member.listed.has(deviceId) || !isOpenToGuest(member, now))) return false;
    if (type === 'device' && name === 'removed') return true;
    const ownedSinceMs = view.ownedSinceMs.get(deviceId);
    return ownedSinceMs !== undefined && ts.getTime() >= ownedSinceMs;
  }

  #set(homeId: string, view: HomeView): void {
    const known = this.#views.get(homeId);
    if (known) known.view = view;
  }
}

async function viewsOf(db: Db, homeIds: readonly string[]): Promise<Map<string, HomeView>> {
  const rows = await db.many<{
    id: string;
    timeZone: string;
    members: MemberJson[] | null;
    devices: [string, number][] | null;
  }>(sql`
    select h.id::text, h.time_zone as "timeZone", (
        select json_agg(json_build_object('userId', m.user_id, 'role', m.role, 'from', m.guest_from,
          'until', m.guest_until, 'weekly', m.guest_weekly, 'listed', case when m.role = 'guest' then (
            select json_agg(g.device_id) from home_guest_devices g
            where g.project_id = m.project_id and g.home_id = m.home_id and g.user_id = m.user_id) end))
        from home_members m where m.project_id = h.project_id and m.home_id = h.id
      ) as members, (
        select json_agg(json_build_array(d.id, floor(extract(epoch from d.owned_since) * 1000)))
        from devices d where d.project_id = h.project_id and d.home_id = h.id
      ) as devices
    from homes h join projects p on p.id = h.project_id and p.deleted_at is null
    where h.id = any(${homeIds}::bigint[])`);
  return new Map(
    rows.map(({ id, timeZone, members, devices }) => [
      id,
      {
        members: new Map((members ?? []).map(member => [member.userId, toMember(member, timeZone)])),
        ownedSinceMs: new Map(devices ?? []),
      },
    ]),
  );
}

function toMember({ role, from, until, weekly, listed }: MemberJson, timeZone: string): Member {
  return {
    role,
    timeZone,
    guestWeekly: weekly,
    guestFrom: from === null ? null : new Date(from),
    guestUntil: until === null ? null : new Date(until),
    listed: new Set(listed ?? []),
  };
}
