import { describe, expect, it } from 'vitest';
import { previewEmailTemplate, testEmailTemplate } from '#contract/emailTemplate.ts';
import { aTemplate } from '#test/emailTemplates.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { renderEmailTemplate } from './renderEmailTemplate.ts';

const at = aProjectWorld();

describe('a preview', () => {
  it('shows the e-mail with sample data and stores nothing', async () => {
    const { params, read } = await aTemplate(at);
    const body = {
      subject: 'Hi {{ user.name }}',
      body: '<p>Hi <b>{{ user.name }}</b> of {{ project.name }}</p>',
    };
    const shown = await at.owner.client.call(previewEmailTemplate, { params, body });
    expect(shown).toEqual({
      subject: 'Hi Ada Lovelace',
      html: '<p>Hi <b>Ada Lovelace</b> of Harbour</p>',
      text: 'Hi Ada Lovelace of Harbour\n',
      faults: [],
    });
    expect((await read()).changed).toBe(false);
  });

  it('of a template with errors returns the errors', async () => {
    const { params } = await aTemplate(at);
    const body = { subject: '', body: '<p>' };
    const shown = await at.owner.client.call(previewEmailTemplate, { params, body });
    expect(shown.faults.map(({ field, code }) => [field, code])).toEqual([
      ['subject', 'EMPTY'],
      ['body', 'UNCLOSED_ELEMENT'],
    ]);
    expect([shown.subject, shown.html, shown.text]).toEqual(['', '', '']);
  });
});

describe('a test e-mail', () => {
  it('is sent to the developer with the text of the draft', async () => {
    const { params } = await aTemplate(at);
    const body = {
      subject: 'Draft for {{ user.name }}',
      body: '<p>See <a href="{{ link.url }}">this</a></p>',
    };
    const { email } = await at.owner.client.call(testEmailTemplate, { params, body });
    expect(email).toBe(at.owner.email);
    const [mail] = await at.world.mailsTo(at.owner.email);
    expect(mail?.subject).toBe('Draft for Ada Lovelace');
    expect(mail?.text).toBe('See this (https://example.com/open?token=sample)\n');
  });

  it('of a template with errors is not sent', async () => {
    const { params } = await aTemplate(at);
    const sent = (await at.world.mailsTo(at.owner.email)).length;
    const body = { subject: 'a', body: '{{ user.nam }}' };
    await failing(at.owner.client.call(testEmailTemplate, { params, body }), 'INVALID_TEMPLATE');
    expect(await at.world.mailsTo(at.owner.email)).toHaveLength(sent);
  });
});

describe('an e-mail to an end user', () => {
  const data = {
    'project.name': 'Harbour',
    'user.name': '<script>alert(1)</script>',
    'user.email': 'ada@example.com',
    'inviter.name': '',
    'link.url': 'https://app.example.com/activate?token=abc&user=1',
    'link.validFor': '7 days',
  };

  it('has the default text if the template was not changed', async () => {
    const { projectId } = await aTemplate(at);
    const mail = await renderEmailTemplate(at.world.platform.db, projectId, 'user-invite', data);
    expect(mail.subject).toBe('You are invited to Harbour');
    expect(mail.text).toContain('You are invited to Harbour. You will sign in with');
    expect(mail.text).toContain('Accept invitation (https://app.example.com/activate?token=abc&user=1)');
  });

  it('has the developer’s text, with the user’s name escaped', async () => {
    const { projectId, edit } = await aTemplate(at);
    await edit({ subject: 'For {{ user.name }}', body: '<p title="{{ user.name }}">{{ user.name }}</p>' });
    const mail = await renderEmailTemplate(at.world.platform.db, projectId, 'user-invite', data);
    expect(mail.html).not.toContain('<script>');
    expect(mail.html).toContain('&lt;script&gt;');
    expect(mail.text).toContain('<script>alert(1)');
  });
});
