import { expect, it } from 'vitest';
import { addMember, listMembers } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { theWorld, unique } from '#test/world.ts';

const world = theWorld();

it('of ten concurrent additions to a team of 499, exactly one succeeds', async () => {
  const owner = await world.aDeveloper();
  const { id: projectId } = await world.aProject(owner);
  const params = { projectId };
  await world.platform.db.run(sql`
    with made as (
      insert into developers (id, org_id, email, name)
      select 'dvl_' || n, 'default', n || '@crowd.example', 'One of many' from generate_series(1, 498) n returning id)
    insert into project_members (project_id, developer_id, role, created_at)
    select ${projectId}, id, 'viewer', now() from made`);
  const { answers, reasons } = await atOnce(10, () =>
    owner.client.call(addMember, { params, body: { email: `${unique('last')}@example.com` } }),
  );
  expect(answers).toHaveLength(1);
  expect(reasons).toEqual(Array.from({ length: 9 }, () => 'TEAM_FULL'));
  expect(await owner.client.call(listMembers, { params })).toHaveLength(500);
});
