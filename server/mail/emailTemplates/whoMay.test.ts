import { describe, expect, it } from 'vitest';
import {
  editEmailTemplate,
  listEmailTemplates,
  previewEmailTemplate,
  readEmailTemplate,
  revertEmailTemplate,
  testEmailTemplate,
} from '#contract/emailTemplate.ts';
import { addMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aTemplate } from '#test/emailTemplates.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

describe('access to templates', () => {
  it('lets a viewer read and preview, but not change or send', async () => {
    const { params, projectId } = await aTemplate(at);
    const viewer = await at.world.aDeveloper();
    await at.owner.client.call(addMember, {
      params: { projectId },
      body: { email: viewer.email, role: 'viewer' },
    });
    const content = { subject: 'a', body: 'b' };
    expect(await viewer.client.call(readEmailTemplate, { params })).toEqual(
      await at.owner.client.call(readEmailTemplate, { params }),
    );
    expect(await viewer.client.call(listEmailTemplates, { params: { projectId } })).toHaveLength(6);
    await viewer.client.call(previewEmailTemplate, { params, body: content });
    await failing(viewer.client.call(editEmailTemplate, { params, body: content }), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(revertEmailTemplate, { params }), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(testEmailTemplate, { params, body: content }), 'ROLE_TOO_LOW');
  });

  it('lets a developer change and revert', async () => {
    const { params, projectId } = await aTemplate(at);
    const developer = await at.world.aDeveloper();
    await at.owner.client.call(addMember, { params: { projectId }, body: { email: developer.email } });
    const edited = await developer.client.call(editEmailTemplate, { params, body: { subject: 'Theirs' } });
    expect(edited.changed).toBe(true);
    expect((await developer.client.call(revertEmailTemplate, { params })).changed).toBe(false);
  });

  it('hides every template from members of other projects', async () => {
    const { params } = await aTemplate(at);
    await at.owner.client.call(editEmailTemplate, { params, body: { subject: 'Secret plans' } });
    const stranger = await at.world.aDeveloper();
    await at.world.aProject(stranger);
    for (const projectId of [params.projectId, 'prj_none']) {
      const read = stranger.client.call(readEmailTemplate, { params: { ...params, projectId } });
      expect((await failing(read, 'RESOURCE_NOT_FOUND')).message).toBe('Email template not found.');
    }
    const body = { subject: 'a', body: 'b' };
    await failing(stranger.client.call(editEmailTemplate, { params, body }), 'RESOURCE_NOT_FOUND');
    await failing(stranger.client.call(revertEmailTemplate, { params }), 'RESOURCE_NOT_FOUND');
    await failing(stranger.client.call(testEmailTemplate, { params, body }), 'RESOURCE_NOT_FOUND');
    await failing(stranger.client.call(previewEmailTemplate, { params, body }), 'RESOURCE_NOT_FOUND');
    await failing(
      stranger.client.call(listEmailTemplates, { params: { projectId: params.projectId } }),
      'NOT_A_MEMBER',
    );
  });

  it('ends once the project is being deleted', async () => {
    const { params } = await aTemplate(at);
    await at.world.platform.db.run(
      sql`update projects set deleted_at = ${at.world.now()} where id = ${params.projectId}`,
    );
    await failing(at.owner.client.call(readEmailTemplate, { params }), 'RESOURCE_NOT_FOUND');
  });
});
