import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EmailTemplateId,
  editEmailTemplate,
  emailTemplateIds,
  listEmailTemplates,
  previewEmailTemplate,
  readEmailTemplate,
  revertEmailTemplate,
  testEmailTemplate,
} from '#contract/emailTemplate.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aWorld, type SignedIn, type World } from '#test/world.ts';
import { renderEmailTemplate } from './renderEmailTemplate.ts';

let world: World;
let owner: SignedIn;

beforeAll(async () => {
  world = await aWorld();
  owner = await world.aDeveloper();
  // Each test makes a project of its own.
  await world.platform.db.run(
    sql`update developers set max_projects = 1000 where id = ${owner.developer.id}`,
  );
});
afterAll(() => world.end());

type Settings = BodyOf<typeof editProject>;

/** A project of its own; every call about one template of it. */
async function aTemplate(templateId: EmailTemplateId = 'user-invite', settings: Settings = {}) {
  const project = await world.aProject(owner, 'Harbour');
  const projectId = project.id;
  if (Object.keys(settings).length > 0)
    await owner.client.call(editProject, { params: { projectId }, body: settings });
  const params = { projectId, templateId };
  return {
    project,
    params,
    read: () => owner.client.call(readEmailTemplate, { params }),
    edit: (body: BodyOf<typeof editEmailTemplate>, ifMatch?: number) =>
      owner.client.call(editEmailTemplate, { params, body, ...(ifMatch !== undefined && { ifMatch }) }),
    revert: (ifMatch?: number) =>
      owner.client.call(revertEmailTemplate, { params, ...(ifMatch !== undefined && { ifMatch }) }),
  };
}

async function idsOf(settings: Settings): Promise<string[]> {
  const { params } = await aTemplate('user-invite', settings);
  const { projectId } = params;
  const listed = await owner.client.call(listEmailTemplates, { params: { projectId } });
  const ids = listed.map(({ id }) => id);
  for (const templateId of emailTemplateIds) {
    const read = owner.client.call(readEmailTemplate, { params: { projectId, templateId } });
    if (ids.includes(templateId)) await read;
    else expect((await failing(read, 'RESOURCE_NOT_FOUND')).message).toBe('Email template not found.');
  }
  return ids;
}

describe('the templates of a project are those it has a use for', () => {
  const always = ['user-invite', 'user-password-reset', 'user-email-update'];

  it('all six while nothing is restricted', async () => {
    expect(await idsOf({})).toEqual([...emailTemplateIds]);
  });

  it('no verification where users cannot register themselves', async () => {
    expect(await idsOf({ restrictUserReg: true })).toEqual([
      ...always,
      'home-member-invite',
      'home-member-notify',
    ]);
  });

  it('none for homes under permission-based access control', async () => {
    expect(await idsOf({ enablePermissionBasedAccessControl: true })).toEqual([
      'user-verification',
      ...always,
    ]);
  });

  it('none at all where users are brought by another back end', async () => {
    expect(await idsOf({ userAccountMode: 'external' })).toEqual([]);
  });

  it('one that is out of use cannot be changed either', async () => {
    const hidden = await aTemplate('user-verification', { restrictUserReg: true });
    await failing(hidden.edit({ subject: 'a' }), 'RESOURCE_NOT_FOUND');
    await failing(hidden.revert(), 'RESOURCE_NOT_FOUND');
  });

  it('one that was changed is as it was when it is of use again', async () => {
    const { edit, read, project } = await aTemplate('user-verification');
    await edit({ subject: 'Mine' });
    const params = { projectId: project.id };
    await owner.client.call(editProject, { params, body: { restrictUserReg: true } });
    await owner.client.call(editProject, { params, body: { restrictUserReg: false } });
    expect((await read()).subject).toBe('Mine');
  });

  it.each(['', 'nothing', '__proto__', 'USER-INVITE'])('there is none called %j', async templateId => {
    const { project } = await aTemplate();
    const params = { projectId: project.id, templateId };
    const answer = await owner.fetch(
      `${world.url}/api/projects/${project.id}/emailTemplates/${encodeURIComponent(params.templateId)}`,
      { headers: { 'x-console-guard': '1' } },
    );
    // Without an id it is the list.
    expect(answer.status).toBe(templateId === '' ? 200 : 404);
  });
});

describe('a template', () => {
  it('is the default until it is changed, and says so', async () => {
    const { edit, read } = await aTemplate();
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

  it('keeps what an edit does not name', async () => {
    const { edit } = await aTemplate();
    await edit({ body: '<p>Mine</p>' });
    const after = await edit({ subject: 'Mine too' });
    expect([after.subject, after.body]).toEqual(['Mine too', '<p>Mine</p>']);
  });

  it('that was edited back to the default is not changed', async () => {
    const { edit, read } = await aTemplate();
    const { subject } = await read();
    await edit({ subject: 'Mine' });
    expect((await edit({ subject })).changed).toBe(false);
  });

  it('stays at its revision when an edit changes nothing', async () => {
    const { edit, read } = await aTemplate();
    const before = await read();
    expect((await edit({})).revision).toBe(before.revision);
    expect((await edit({ subject: before.subject })).revision).toBe(before.revision);
  });

  it('shows the project’s own name as the sample', async () => {
    const { read } = await aTemplate();
    expect((await read()).variables[0]).toMatchObject({ name: 'project.name', sample: 'Harbour' });
  });

  it('is reverted to the default, of which the log keeps what it was', async () => {
    const { edit, revert, read, project } = await aTemplate();
    const before = await read();
    await edit({ subject: 'Mine' });
    const after = await revert();
    expect(after).toEqual({ ...before, revision: before.revision + 2 });
    expect(await read()).toEqual(after);
    const entry = await world.platform.db.one<{ text: string; detail: { before: unknown } }>(sql`
      select text, detail from log_entries where project_id = ${project.id} and action = 'revertEmailTemplate'`);
    expect(entry?.text).toBe('E-mail template user-invite reverted to the default');
    expect(entry?.detail.before).toEqual({ id: 'user-invite', subject: 'Mine', body: before.body });
  });

  it('edited by two at once is changed by the first alone, and the second is told what it is now', async () => {
    const { edit, revert, read } = await aTemplate();
    const { revision } = await read();
    const tries = await Promise.allSettled([1, 2, 3, 4].map(n => edit({ subject: `Mine ${n}` }, revision)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const told = await failing(revert(revision), 'STALE');
    expect(told.context).toMatchObject({ current: { subject: (await read()).subject } });
  });

  it('reverted meanwhile is not mistaken for the one that was read before', async () => {
    const { edit, revert, read } = await aTemplate();
    await edit({ subject: 'First' });
    const { revision } = await read();
    await revert();
    await edit({ subject: 'Second' });
    await failing(edit({ subject: 'Third' }, revision), 'STALE');
  });
});

describe('a template that would break a mail', () => {
  it('is not saved, and every fault is told with its place', async () => {
    const { edit, read } = await aTemplate();
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

  it('is no better for being sent in two parts', async () => {
    const { edit } = await aTemplate();
    await edit({ subject: 'Sound' });
    await failing(edit({ body: '{% if user.name %}' }), 'INVALID_TEMPLATE');
  });

  it('with a variable of another mail is refused', async () => {
    const { edit } = await aTemplate('home-member-notify');
    const { context } = await failing(edit({ body: '{{ link.url }}' }), 'INVALID_TEMPLATE');
    expect(context).toMatchObject({ faults: [{ code: 'UNKNOWN_VARIABLE' }] });
  });

  it('larger than any mail is refused before it is looked into', async () => {
    const { edit } = await aTemplate();
    await failing(edit({ body: 'a'.repeat(200_001) }), 'INVALID_FIELDS');
    await failing(edit({ subject: 'a'.repeat(501) }), 'INVALID_FIELDS');
    const { context } = await failing(edit({ body: 'a'.repeat(100_001) }), 'INVALID_TEMPLATE');
    expect(context).toMatchObject({ faults: [{ code: 'TOO_LONG', line: 1, column: 100_001 }] });
  });
});

describe('a preview', () => {
  it('shows the mail with sample data and keeps nothing', async () => {
    const { params, read } = await aTemplate();
    const body = {
      subject: 'Hi {{ user.name }}',
      body: '<p>Hi <b>{{ user.name }}</b> of {{ project.name }}</p>',
    };
    const shown = await owner.client.call(previewEmailTemplate, { params, body });
    expect(shown).toEqual({
      subject: 'Hi Ada Lovelace',
      html: '<p>Hi <b>Ada Lovelace</b> of Harbour</p>',
      text: 'Hi Ada Lovelace of Harbour\n',
      faults: [],
    });
    expect((await read()).changed).toBe(false);
  });

  it('of a template with faults answers them', async () => {
    const { params } = await aTemplate();
    const body = { subject: '', body: '<p>' };
    const shown = await owner.client.call(previewEmailTemplate, { params, body });
    expect(shown.faults.map(({ field, code }) => [field, code])).toEqual([
      ['subject', 'EMPTY'],
      ['body', 'UNCLOSED_ELEMENT'],
    ]);
    expect([shown.subject, shown.html, shown.text]).toEqual(['', '', '']);
  });
});

describe('a test mail', () => {
  it('goes to oneself as the draft words it', async () => {
    const { params } = await aTemplate();
    const body = {
      subject: 'Draft for {{ user.name }}',
      body: '<p>See <a href="{{ link.url }}">this</a></p>',
    };
    const { email } = await owner.client.call(testEmailTemplate, { params, body });
    expect(email).toBe(owner.email);
    const [mail] = await world.mailsTo(owner.email);
    expect(mail?.subject).toBe('Draft for Ada Lovelace');
    expect(mail?.text).toBe('See this (https://example.com/open?token=sample)\n');
  });

  it('of a template with faults is not sent', async () => {
    const { params } = await aTemplate();
    const sent = (await world.mailsTo(owner.email)).length;
    const body = { subject: 'a', body: '{{ user.nam }}' };
    await failing(owner.client.call(testEmailTemplate, { params, body }), 'INVALID_TEMPLATE');
    expect(await world.mailsTo(owner.email)).toHaveLength(sent);
  });
});

describe('the mail of an occasion', () => {
  const data = {
    'project.name': 'Harbour',
    'user.name': '<script>alert(1)</script>',
    'user.email': 'ada@example.com',
    'inviter.name': '',
    'link.url': 'https://app.example.com/activate?token=abc&user=1',
    'link.validFor': '7 days',
  };

  it('is the default where nobody changed it', async () => {
    const { project } = await aTemplate();
    const mail = await renderEmailTemplate(world.platform.db, project.id, 'user-invite', data);
    expect(mail.subject).toBe('You are invited to Harbour');
    expect(mail.text).toContain('You are invited to Harbour. Choose a password to begin');
    expect(mail.text).toContain('Accept invitation (https://app.example.com/activate?token=abc&user=1)');
  });

  it('is as the developer worded it, with a user’s name that is text and nothing else', async () => {
    const { project, edit } = await aTemplate();
    await edit({ subject: 'For {{ user.name }}', body: '<p title="{{ user.name }}">{{ user.name }}</p>' });
    const mail = await renderEmailTemplate(world.platform.db, project.id, 'user-invite', data);
    expect(mail.html).not.toContain('<script>');
    expect(mail.html).toContain('&lt;script&gt;');
    expect(mail.text).toContain('<script>alert(1)');
  });
});
