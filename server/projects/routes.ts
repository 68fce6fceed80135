import { Problem } from '#contract/problem.ts';
import { createProject, listProjects, type Project, readProject } from '#contract/project.ts';
import type { Slice } from '#server/app.ts';
import { on } from '#server/http/route.ts';
import { insertProject, lockProjectCount, projectsOf } from './store.ts';

export const projects: Slice = {
  routes: [
    on(listProjects, async ({ db, me, query, page }) => {
      if (query.developerId !== undefined && query.developerId !== me.developerId)
        throw new Problem('NOT_ALLOWED');
      return projectsOf(db, me.developerId, page);
    }),

    on(createProject, async call => {
      const { db, me, body, now, platform } = call;
      const { count, max } = await lockProjectCount(db, me.developerId);
      if (count >= max) throw new Problem('PROJECT_LIMIT_REACHED');
      const project = { id: platform.newId('prj'), name: body.name, description: body.description ?? '' };
      await insertProject(db, {
        ...project,
        orgId: me.orgId,
        isSample: false,
        createdBy: me.developerId,
        now,
      });
      call.projectId = project.id;
      return {
        ...project,
        isSample: false,
        role: 'owner' as const,
        createdAt: now.toISOString(),
        revision: 1,
      };
    }),

    on(readProject, async call => call.before as unknown as Project),
  ],
};
