import type { FastifyReply } from 'fastify';
import type { Problem } from '#contract/problem.ts';
import { type Html, html } from '#server/api/pages/html.ts';

interface Parts {
  /** The name of the product, which is all that its users know; undefined if the page could not find out. */
  project: string | undefined;
  title: string;
  main: Html;
}

/** A page without scripts, for an end user who followed the link of an e-mail. */
function userPage({ project, title, main }: Parts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}${project !== undefined && ` · ${project}`}</title>
<link rel="stylesheet" href="/page/tokens.css">
<link rel="stylesheet" href="/page/page.css">
<link rel="stylesheet" href="/page/user.css">
</head>
<body class="user">
<main id="main">
${project !== undefined && html`<p class="product">${project}</p>`}
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`.text;
}

/** The page may load its own styles and send its own form, and nothing else. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export function sendUserPage(reply: FastifyReply, status: number, parts: Parts): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    .send(userPage(parts));
}

/** For errors that a page does not expect: a person reads it, so it is not JSON. */
export function showProblem(reply: FastifyReply, { status, message }: Problem): FastifyReply {
  const title = status === 404 ? 'This page does not exist' : 'This did not work';
  const again = status === 429 || status >= 500 ? ' Wait a moment and try the link again.' : '';
  return sendUserPage(reply, status, { project: undefined, title, main: said(`${message}${again}`) });
}

/** A button, because mail scanners follow links and must not use anything up. */
export function pressForm(token: string, button: string, more: Readonly<Record<string, string>> = {}): Html {
  const hidden = Object.entries({ token, ...more });
  return html`<form method="post">
${hidden.map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
)}<button type="submit">${button}</button>
</form>`;
}

export function passwordForm(given: {
  token: string;
  /** Tells password managers whose password it is. */
  email: string;
  rules: readonly string[];
  fault?: string | undefined;
}): Html {
  const { token, email, rules, fault } = given;
  return html`<form method="post">
<input type="hidden" name="token" value="${token}">
<label for="email">E-mail address</label>
<input id="email" type="email" value="${email}" autocomplete="username" readonly>
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required maxlength="1024" aria-describedby="rules${fault !== undefined && ' fault'}"${fault !== undefined && html` aria-invalid="true"`} autofocus>
<p id="rules" class="muted">${rules.join(' ')}</p>
${fault !== undefined && html`<p id="fault" class="fault" role="alert">${fault}</p>`}
<button type="submit">Set password</button>
</form>`;
}

export const said = (text: string): Html => html`<p>${text}</p>`;
