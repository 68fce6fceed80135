import {
  type EmailTemplateId,
  editEmailTemplate,
  readEmailTemplate,
  revertEmailTemplate,
} from '#contract/emailTemplate.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { editProject } from '#contract/project.ts';
import type { ProjectWorld } from './projectWorld.ts';

/** A template in its own project, with every call about it. */
export async function aTemplate(
  { world, owner }: ProjectWorld,
  templateId: EmailTemplateId = 'user-invite',
  settings: BodyOf<typeof editProject> = {},
) {
  const { id: projectId } = await world.aProject(owner, 'Harbour');
  const { call } = owner.client;
  await call(editProject, { params: { projectId }, body: settings });
  const params = { projectId, templateId };
  const onto = (ifMatch?: number) => (ifMatch === undefined ? {} : { ifMatch });
  return {
    projectId,
    params,
    read: () => call(readEmailTemplate, { params }),
    edit: (body: BodyOf<typeof editEmailTemplate>, ifMatch?: number) =>
      call(editEmailTemplate, { params, body, ...onto(ifMatch) }),
    revert: (ifMatch?: number) => call(revertEmailTemplate, { params, ...onto(ifMatch) }),
  };
}
