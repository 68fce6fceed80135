import { type Finding, hiddenMax } from '#contract/finding.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface Whose {
  projectId: string;
  developerId: string;
}

/** Marks those that the developer has hidden and that have not happened again since. */
export async function markHidden(
  db: Db,
  { projectId, developerId }: Whose,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const rows = await db.many<{ id: string; at: Date }>(sql`
    select finding_id as id, at from hidden_findings
    where project_id = ${projectId} and developer_id = ${developerId}`);
  const hidden = new Map(rows.map(({ id, at }) => [id, at.getTime()]));
  return findings.map(finding =>
    Date.parse(finding.at) <= (hidden.get(finding.id) ?? Number.NEGATIVE_INFINITY)
      ? { ...finding, isHidden: true }
      : finding,
  );
}

/** A person hides so many findings at most: of more, the one hidden first is forgotten. */
export async function hide(
  db: Db,
  { projectId, developerId, findingId, at }: Whose & { findingId: string; at: string },
  now: Date,
): Promise<void> {
  await db.run(sql`
    insert into hidden_findings as h (project_id, developer_id, finding_id, at, hidden_at)
    values (${projectId}, ${developerId}, ${findingId}, ${at}, ${now})
    on conflict (project_id, developer_id, finding_id) do update
      set at = greatest(h.at, excluded.at), hidden_at = excluded.hidden_at`);
  await db.run(sql`
    delete from hidden_findings where project_id = ${projectId} and developer_id = ${developerId}
      and finding_id in (
        select finding_id from hidden_findings where project_id = ${projectId} and developer_id = ${developerId}
        order by hidden_at desc, finding_id offset ${hiddenMax})`);
}

export async function show(
  db: Db,
  { projectId, developerId, findingId }: Whose & { findingId: string },
): Promise<void> {
  await db.run(sql`
    delete from hidden_findings
    where project_id = ${projectId} and developer_id = ${developerId} and finding_id = ${findingId}`);
}
