import { describe, expect, it } from 'vitest';
import { emailTemplateIds, listEmailTemplates, readEmailTemplate } from '#contract/emailTemplate.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aTemplate } from '#test/emailTemplates.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';

const at = aProjectWorld();

async function idsOf(settings: BodyOf<typeof editProject>): Promise<string[]> {
  const { projectId } = await aTemplate(at, 'user-invite', settings);
  const listed = await at.owner.client.call(listEmailTemplates, { params: { projectId } });
  const ids = listed.map(({ id }) => id);
  for (const templateId of emailTemplateIds) {
    const read = at.owner.client.call(readEmailTemplate, { params: { projectId, templateId } });
    if (ids.includes(templateId)) await read;
    else expect((await failing(read, 'RESOURCE_NOT_FOUND')).message).toBe('Email template not found.');
  }
  return ids;
}

describe('a project has only the templates it can use', () => {
  const always = ['user-invite', 'user-password-reset', 'user-email-update'];

  it('all six without restrictions', async () => {
    expect(await idsOf({})).toEqual([...emailTemplateIds]);
  });

  it('no verification if users cannot register themselves', async () => {
    expect(await idsOf({ restrictUserReg: true })).toEqual([
      ...always,
      'home-member-invite',
      'home-member-notify',
    ]);
  });

  it('none for homes with permission-based access control', async () => {
    expect(await idsOf({ enablePermissionBasedAccessControl: true })).toEqual([
      'user-verification',
      ...always,
    ]);
  });

  it('none if another back end manages the users', async () => {
    expect(await idsOf({ userAccountMode: 'external' })).toEqual([]);
  });

  it('and cannot change one that is not in use', async () => {
    const hidden = await aTemplate(at, 'user-verification', { restrictUserReg: true });
    await failing(hidden.edit({ subject: 'a' }), 'RESOURCE_NOT_FOUND');
    await failing(hidden.revert(), 'RESOURCE_NOT_FOUND');
  });

  it('and keeps the changes to one until it is in use again', async () => {
    const { edit, read, projectId } = await aTemplate(at, 'user-verification');
    await edit({ subject: 'Mine' });
    const params = { projectId };
    await at.owner.client.call(editProject, { params, body: { restrictUserReg: true } });
    await at.owner.client.call(editProject, { params, body: { restrictUserReg: false } });
    expect((await read()).subject).toBe('Mine');
  });

  it.each(['', 'nothing', '__proto__', 'USER-INVITE'])('and none called %j', async templateId => {
    const { projectId } = await aTemplate(at);
    const answer = await at.owner.fetch(
      `${at.world.url}/api/projects/${projectId}/emailTemplates/${encodeURIComponent(templateId)}`,
      { headers: { 'x-console-guard': '1' } },
    );
    // Without an id, the path is that of the list.
    expect(answer.status).toBe(templateId === '' ? 200 : 404);
  });
});

describe('a template', () => {
  it('is the default until it is changed, and shows which of the two it is', async () => {
    const { edit, read } = await aTemplate(at);
    const before = await read();
    expect([before.changed, before.subject]).toEqual([false, before.default.subject]);
    const after = await edit({ subject: 'Welcome, {{ user.name }}' });
    expect(after).toEqual({
      ...before,
      subject: 'Welcome, {{ user.name }}',
      changed: true,
      revision: before.revision + 1,
    });
    expect(await read()).toEqual(after);
  });

  it('keeps the fields that an edit does not contain', async () => {
    const { edit } = await aTemplate(at);
    await edit({ body: '<p>Mine</p>' });
    const after = await edit({ subject: 'Mine too' });
    expect([after.subject, after.body]).toEqual(['Mine too', '<p>Mine</p>']);
  });

  it('that was edited back to the default counts as unchanged', async () => {
    const { edit, read } = await aTemplate(at);
    const { subject } = await read();
    await edit({ subject: 'Mine' });
    expect((await edit({ subject })).changed).toBe(false);
  });

  it('keeps its revision when an edit changes nothing', async () => {
    const { edit, read } = await aTemplate(at);
    const before = await read();
    expect((await edit({})).revision).toBe(before.revision);
    expect((await edit({ subject: before.subject })).revision).toBe(before.revision);
  });

  it('has the name of the project as the sample', async () => {
    const { read } = await aTemplate(at);
    expect((await read()).variables[0]).toMatchObject({ name: 'project.name', sample: 'Harbour' });
  });

  it('can be reverted to the default, and the audit log keeps the previous text', async () => {
    const { edit, revert, read, projectId } = await aTemplate(at);
    const before = await read();
    await edit({ subject: 'Mine' });
    const after = await revert();
    expect(after).toEqual({ ...before, revision: before.revision + 2 });
    expect(await read()).toEqual(after);
    const entry = await at.world.platform.db.one<{ text: string; detail: { before: unknown } }>(sql`
      select text, detail from log_entries where project_id = ${projectId} and action = 'revertEmailTemplate'`);
    expect(entry?.text).toBe('E-mail template user-invite reverted to the default');
    expect(entry?.detail.before).toEqual({ id: 'user-invite', subject: 'Mine', body: before.body });
  });

  it('has only the edited text in the audit log of an edit', async () => {
    const { edit, read, projectId } = await aTemplate(at);
    const { subject } = await read();
    await edit({ subject: 'Mine' });
    const entry = (await auditOf(at.world, projectId)).at(-1);
    const { before, after } = (entry?.detail ?? {}) as { before?: object; after?: object };
    expect([before, after]).toEqual([{ subject }, { subject: 'Mine' }]);
  });

  it('is changed only by the first of concurrent edits, and a stale write gets the current text', async () => {
    const { edit, revert, read } = await aTemplate(at);
    const { revision } = await read();
    const tries = await Promise.allSettled([1, 2, 3, 4].map(n => edit({ subject: `Mine ${n}` }, revision)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const told = await failing(revert(revision), 'STALE');
    expect(told.context).toMatchObject({ current: { subject: (await read()).subject } });
  });

  it('rejects a stale edit even if it was reverted meanwhile', async () => {
    const { edit, revert, read } = await aTemplate(at);
    await edit({ subject: 'First' });
    const { revision } = await read();
    await revert();
    await edit({ subject: 'Second' });
    await failing(edit({ subject: 'Third' }, revision), 'STALE');
  });
});

describe('a template that would break an e-mail', () => {
  it('is not saved, and every error is returned with its position', async () => {
    const { edit, read } = await aTemplate(at);
    const given = { subject: 'Hi\r\nBcc: all@example.com', body: '<p>Hello\n  {{ user.nam }}' };
    const { context } = await failing(edit(given), 'INVALID_TEMPLATE');
    expect(context).toMatchObject({
      faults: [
        { field: 'subject', code: 'LINE_BREAK', line: 1, column: 3, length: 2 },
        { field: 'body', code: 'UNCLOSED_ELEMENT', line: 1, column: 1, length: 3 },
        { field: 'body', code: 'UNKNOWN_VARIABLE', line: 2, column: 6, length: 8 },
      ],
    });
    expect((await read()).changed).toBe(false);
  });

  it('is also rejected if subject and body are sent separately', async () => {
    const { edit } = await aTemplate(at);
    await edit({ subject: 'Sound' });
    await failing(edit({ body: '{% if user.name %}' }), 'INVALID_TEMPLATE');
  });

  it('because of a variable of another e-mail is rejected', async () => {
    const { edit } = await aTemplate(at, 'home-member-notify');
    const { context } = await failing(edit({ body: '{{ link.url }}' }), 'INVALID_TEMPLATE');
    expect(context).toMatchObject({ faults: [{ code: 'UNKNOWN_VARIABLE' }] });
  });

  it('by its size is rejected before it is parsed', async () => {
    const { edit } = await aTemplate(at);
    await failing(edit({ body: 'a'.repeat(200_001) }), 'INVALID_FIELDS');
    await failing(edit({ subject: 'a'.repeat(501) }), 'INVALID_FIELDS');
    const { context } = await failing(edit({ body: 'a'.repeat(100_001) }), 'INVALID_TEMPLATE');
    expect(context).toMatchObject({ faults: [{ code: 'TOO_LONG', line: 1, column: 100_001 }] });
  });
});
