import { html } from '#server/api/pages/html.ts';
import { type Asked, type Page, showUseless } from '#server/people/pages/pageActs.ts';
import { pressForm, said } from '#server/people/pages/userPage.ts';
import {
  isSubscribed,
  type Subscription,
  setSubscribed,
  subscriptionOf,
  unsubscribePath,
} from './unsubscribe.ts';

const wanted = (asked: Asked): Subscription | undefined =>
  subscriptionOf(asked.platform, asked.project.id, asked.token);

/**
 * Ends the e-mails of a smart module to one user. Mail programs send the form themselves, with only the URL of the link
 * (RFC 8058).
 */
export const unsubscribePage: Page = {
  path: unsubscribePath,

  async look(asked) {
    const about = wanted(asked);
    const subscribed = about && (await isSubscribed(asked.platform.db, asked.project.id, about));
    if (subscribed === undefined) return showUseless(asked);
    return subscribed ? ask(asked) : showEnded(asked);
  },

  async send(asked, form) {
    const about = wanted(asked);
    const { platform, project, now } = asked;
    const subscribed = about && (await isSubscribed(platform.db, project.id, about));
    if (!about || subscribed === undefined) return showUseless(asked);
    const wants = form.again === 'yes';
    await setSubscribed(platform.db, project.id, about, { wants, now });
    if (!wants) return showEnded(asked);
    return asked.show(200, 'You are subscribed again', said('You will get these e-mails as before.'));
  },
};

function ask(asked: Asked) {
  const text = `You will no longer get these e-mails from ${asked.project.name}. Other e-mails are not affected.`;
  const main = html`${said(text)}${pressForm(asked.token, 'Unsubscribe')}`;
  return asked.show(200, 'Unsubscribe', main);
}

function showEnded(asked: Asked) {
  const main = html`${said('You will no longer get these e-mails.')}${pressForm(asked.token, 'Subscribe again', { again: 'yes' })}`;
  return asked.show(200, 'You are unsubscribed', main);
}
