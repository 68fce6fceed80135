import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

const everyMs = 1_000;

interface Watch {
  /** Callbacks by developer, called once the account may no longer be used. */
  hearers: Map<string, Set<() => void>>;
  asking: ReturnType<typeof setInterval>;
}

const watches = new WeakMap<Platform, Watch>();

/**
 * Polls for accounts that are suspended, or locked out by their organization, while they have open streams. The
 * operator's command line is a separate process: without NATS its notices do not reach this one. Takes one query a
 * second for all streams of this process. Returns a function that stops the watch.
 */
export function watchAccount(platform: Platform, developerId: string, onRefused: () => void): () => void {
  const watch = watches.get(platform) ?? begin(platform);
  const hearers = watch.hearers.get(developerId) ?? new Set();
  watch.hearers.set(developerId, hearers.add(onRefused));
  return () => {
    hearers.delete(onRefused);
    if (hearers.size === 0) watch.hearers.delete(developerId);
    if (watch.hearers.size > 0 || watches.get(platform) !== watch) return;
    clearInterval(watch.asking);
    watches.delete(platform);
  };
}

function begin(platform: Platform): Watch {
  const hearers: Watch['hearers'] = new Map();
  let isAsking = false;
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    for (const id of await refused(platform, [...hearers.keys()]))
      for (const hear of hearers.get(id) ?? []) hear();
    isAsking = false;
  }
  const watch = { hearers, asking: setInterval(() => void ask(), everyMs) };
  watches.set(platform, watch);
  return watch;
}

/** None while the database is unavailable: then no changes are announced that a stream could pass on. */
async function refused({ db }: Platform, ids: string[]): Promise<string[]> {
  const rows = db.many<{ id: string }>(sql`
    select d.id from developers d join organizations o on o.id = d.org_id
    where d.id = any(${ids}) and (d.suspended or (o.require_two_factor and not d.totp_active))`);
  return (await rows.catch(() => [])).map(({ id }) => id);
}
