import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';
import { mark } from './mark.ts';

interface PageParts {
  title: string;
  /** The stylesheets of this page, in addition to `page.css`. */
  stylesheets: readonly string[];
  main: Html;
}

/** A page rendered on the server, in the style of the console and without scripts. */
export function page({ title, stylesheets, main }: PageParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Mooring</title>
<link rel="icon" href="/page/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/tokens.css">
<link rel="stylesheet" href="/page/page.css">
${stylesheets.map(path => html`<link rel="stylesheet" href="${path}">`)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="/">${mark(20)}<span>Mooring</span></a>
<span class="bar-title">${title}</span>
<nav class="bar-links" aria-label="Mooring"><a href="/">Open console</a></nav>
</header>
${main}
</body>
</html>
`.text;
}

/** Pages without scripts need almost nothing, so almost nothing is allowed. */
export const scriptlessPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function asPage(reply: FastifyReply): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', scriptlessPolicy);
}
