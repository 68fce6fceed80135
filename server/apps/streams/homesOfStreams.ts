import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { HomeViews } from './homeViews.ts';
import type { Stream } from './stream.ts';
import type { StreamIndex } from './streamIndex.ts';

const itemsMax = 500;

/** The homes of each stream: those of its user, or the one that it was opened for. */
export class HomesOfStreams {
  readonly #views: HomeViews;
  readonly #index: StreamIndex;
  readonly #batch: GroupCommit<Stream, undefined>;

  constructor(db: Db, { views, index }: { views: HomeViews; index: StreamIndex }) {
    this.#views = views;
    this.#index = index;
    this.#batch = new GroupCommit({
      name: 'homes of streams',
      run: async streams => {
        const homes = await homesOf(db, [...new Set(streams.map(({ listener }) => listener.userId))]);
        for (const stream of streams) this.#set(stream, homes.get(stream.listener.userId) ?? []);
        return streams.map(() => undefined);
      },
      itemsMax,
      patient: true,
    });
  }

  /** Reads from the database again; one query at a time, so that an older result never replaces a newer one. */
  async read(streams: readonly Stream[]): Promise<void> {
    await Promise.all(streams.map(stream => this.#batch.add(stream)));
    await this.#views.load([...new Set(streams.flatMap(({ homes }) => [...homes]))]);
  }

  leave(stream: Stream): void {
    for (const homeId of stream.homes) this.#views.remove(homeId);
    this.#index.remove(stream);
    stream.homes.clear();
  }

  stop(): Promise<void> {
    return this.#batch.stop();
  }

  #set(stream: Stream, all: readonly string[]): void {
    if (stream.isOver) return;
    const { onlyHome, homes } = stream;
    const now = new Set(onlyHome === undefined ? all : all.filter(id => id === onlyHome));
    for (const homeId of [...homes].filter(id => !now.has(id))) {
      this.#index.removeHome(stream, homeId);
      this.#views.remove(homeId);
    }
    for (const homeId of [...now].filter(id => !homes.has(id))) {
      this.#index.addHome(stream, homeId);
      this.#views.add(homeId);
    }
  }
}

async function homesOf(db: Db, userIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.many<{ userId: string; homeIds: string[] }>(sql`
    select u.id as "userId", array_agg(m.home_id::text) as "homeIds"
    from users u join home_members m on m.project_id = u.project_id and m.user_id = u.id
    where u.id = any(${userIds}) group by u.id`);
  return new Map(rows.map(({ userId, homeIds }) => [userId, homeIds]));
}
