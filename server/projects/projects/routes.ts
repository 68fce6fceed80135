import { Problem } from '#contract/problem.ts';
import {
  createProject,
  deleteProject,
  editProject,
  listProjects,
  type Project,
  readProject,
  readProjectDeletion,
  watchProject,
} from '#contract/project.ts';
import { mustOwn } from '#server/api/access/access.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { openLiveStream, refuseSurplusStream } from '#server/api/http/live.ts';
import type { Slice } from '#server/api/slice.ts';
import { findDevice } from '#server/devices/devices/store.ts';
import { watchedDevice } from '#server/devices/devices/watchedDevice.ts';
import { deleteProjectJob, findDeletion, startDeletion, sweepProjectJob } from './deletion.ts';
import { findProject, toProject } from './project.ts';
import { insertProject, lockProjectCount, projectResource, projectsOf, updateProject } from './store.ts';

export const projects: Slice = {
  platformTables: {
    projects: 'A project and its settings.',
    project_deletions: 'The deletion of a project and its progress.',
  },
  idPrefixes: ['prj', 'del'],
  jobs: (platform, { projectTables }) => ({
    tasks: {
      deleteProject: deleteProjectJob(platform, projectTables),
      sweepProject: sweepProjectJob(platform, projectTables),
    },
  }),
  routes: [
    on(listProjects, async ({ db, me, query, page }) => {
      if (query.developerId !== undefined && query.developerId !== me.developerId)
        throw new Problem('NOT_ALLOWED');
      return projectsOf(db, me, page);
    }),

    on(createProject, async call => {
      const { db, me, body, now, platform } = call;
      const { count, max } = await lockProjectCount(db, me.developerId);
      if (count >= max) throw new Problem('PROJECT_LIMIT_REACHED');
      const id = platform.newId('prj');
      const given = { id, orgId: me.orgId, name: body.name, description: body.description ?? '' };
      await insertProject(db, { ...given, isSample: false, createdBy: me.developerId, now });
      call.projectId = id;
      return read(call, id);
    }),

    on(readProject, async call => call.row),

    on(editProject, async call => {
      const { body, db, row: project } = call;
      const turnsForGood =
        (body.forgetDeviceKeys && !project.forgetDeviceKeys) ||
        (body.enablePermissionBasedAccessControl && !project.enablePermissionBasedAccessControl);
      if (turnsForGood) mustOwn(call);
      await updateProject(db, project.id, body);
      return read(call, project.id);
    }),

    on(deleteProject, async call => {
      const deletionId = await startDeletion(call, call.row);
      // The project's own log is deleted with it; the organization's log keeps who deleted it.
      call.projectId = undefined;
      return { deletionId };
    }),

    on(watchProject, async ({ db, platform, me, now, params, query }) => {
      const { projectId } = params;
      const { deviceId } = query;
      if (deviceId !== undefined && !(await findDevice(db, projectId, deviceId, now)))
        throw new Problem('DEVICE_NOT_FOUND');
      refuseSurplusStream(me);
      const device = deviceId === undefined ? undefined : watchedDevice(platform.db, { projectId, deviceId });
      return { eventStream: outlet => openLiveStream(platform, { projectId, device }, me, outlet) };
    }),

    on(readProjectDeletion, async ({ db, me, params }) =>
      findDeletion(db, params.deletionId, me.developerId),
    ),
  ],
  resources: { project: projectResource },
  constraints: {
    projects_public_alias: ['PUBLIC_ALIAS_TAKEN', 'publicAlias'],
    projects_irreversible: 'IRREVERSIBLE',
  },
};

async function read({ db, me }: Call, projectId: string): Promise<Project> {
  const row = await findProject(db, projectId, me.developerId);
  if (!row) throw new Problem('PROJECT_NOT_FOUND');
  return toProject(row);
}
