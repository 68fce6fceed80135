import type { Client } from '#contract/client.ts';
import { editProject } from '#contract/project.ts';
import { appendEntries, type NewEntry } from '#server/api/logs/append.ts';
import { type Database, type Db, sql } from '#server/infra/db/sql.ts';
import { newId } from '#server/infra/ids.ts';

const appends = 1_500;
const edits = 800;
/** So that both processes are equally warm. */
const warmUps = 300;

/**
 * What noting an entry for the sealer costs per append, in a transaction that is synced to disk: alternately with and
 * without the note.
 */
export async function appendTimes(
  db: Database,
  projectId: string,
): Promise<{ bare: number[]; noted: number[] }> {
  const took = { bare: [] as number[], noted: [] as number[] };
  const ways = { bare: appendBare, noted: appendNoted };
  for (let i = 0; i < appends; i++) {
    for (const way of i % 2 ? (['bare', 'noted'] as const) : (['noted', 'bare'] as const)) {
      const entry = anEntry(projectId);
      const startedAt = performance.now();
      await db.tx(tx => ways[way](tx, entry));
      took[way].push(performance.now() - startedAt);
    }
  }
  return took;
}

function anEntry(projectId: string): NewEntry {
  return {
    projectId,
    stream: 'audit',
    ts: new Date(),
    level: 2,
    action: 'editDevice',
    actor: { callerType: 'developer', id: 'dvl_1', displayName: 'Developer' },
    text: 'Device dev-1 of class thermostat changed',
    detail: { before: { channel: 'stable' }, after: { channel: 'beta' }, address: '203.0.113.1' },
  };
}

const idOf = (_: 'log', at = new Date()) => newId('log', at.getTime());

function appendNoted(db: Db, entry: NewEntry): Promise<unknown> {
  return appendEntries(db, { newId: (_, at) => idOf('log', at) }, [entry]);
}

/** An append without sealing. */
function appendBare(
  db: Db,
  { projectId, ts, level, actor, action, text, detail }: NewEntry,
): Promise<unknown> {
  return db.run(sql`
    insert into log_entries (project_id, stream, ts, id, level, subject, actor, action, text, detail)
    values (${projectId}, 'audit', ${ts}, ${idOf('log', ts)}, ${level}, null, ${JSON.stringify(actor)}, ${action}, ${text},
      ${JSON.stringify(detail)}) on conflict do nothing`);
}

/** Audited changes through the API, alternating between two projects on two servers. */
export async function editTimes(places: { client: Client; projectId: string }[]): Promise<number[][]> {
  const took = places.map(() => [] as number[]);
  for (let i = 0; i < edits; i++) {
    for (const [at, { client, projectId }] of places.entries()) {
      const startedAt = performance.now();
      await client.call(editProject, { params: { projectId }, body: { name: `project ${i}` } });
      if (i >= warmUps) took[at]?.push(performance.now() - startedAt);
    }
  }
  return took;
}
