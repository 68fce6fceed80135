import { type Html, html } from '#server/api/pages/html.ts';
import { page } from '#server/api/pages/page.ts';
import type { OpenMail, WaitingMail } from '#server/mail/sending/waiting.ts';

interface Shown {
  mails: readonly WaitingMail[];
  open: OpenMail | undefined;
}

/** A list of e-mails, and the open one beside it; on a small screen the list follows below. */
export function outboxPage({ mails, open }: Shown): string {
  const main = open ? twoPanes(mails, open) : nothingYet;
  return page({ title: 'Outbox', stylesheets: ['/outbox/outbox.css'], main });
}

const nothingYet = html`<main id="main" class="nothing">
<h1>No e-mails yet</h1>
<p class="muted">While no mail server is configured, e-mails that Mooring would send appear here. <a href="/signup">Create an account</a> to receive the first one.</p>
</main>`;

function twoPanes(mails: readonly WaitingMail[], open: OpenMail): Html {
  return html`<div class="panes">
<nav class="list" aria-label="E-mails">
<p class="note">No mail server is configured, so e-mails are shown here, on this machine only. Set <code>SMTP_URL</code> to send them.</p>
<ul>
${mails.map(mail => listed(mail, mail.id === open.id))}</ul>
</nav>
<main id="main" class="mail">
<h1>${open.subject}</h1>
<p class="meta"><span>To <b>${open.to}</b></span>${time(open.createdAt)}</p>
<iframe class="content" src="/outbox/${open.id}/content" title="E-mail preview" sandbox="allow-top-navigation-by-user-activation"></iframe>
</main>
</div>`;
}

function listed({ id, subject, to, createdAt }: WaitingMail, isOpen: boolean): Html {
  return html`<li><a href="/outbox/${id}"${isOpen && html` aria-current="page"`}><span class="subject">${subject}</span><span class="to">${to}</span>${time(createdAt)}</a></li>
`;
}

/** Formats as `09:46` for today, otherwise as `12 Nov, 09:46`, in this machine's time zone, which is the reader's. */
function time(at: Date): Html {
  const isToday = at.toDateString() === new Date().toDateString();
  const text = at.toLocaleString('en-GB', {
    ...(!isToday && { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
  });
  return html`<time datetime="${at.toISOString()}" title="${at.toISOString()}">${text}</time>`;
}
