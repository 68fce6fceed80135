import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * Takes the HTML of a mail from the page that holds this one, and shows it in a frame of its own where no script runs,
 * ours included. Links open new windows, which that frame may not: a click leaves the mail where it is.
 */
const script = `
const frame = document.querySelector('iframe');
addEventListener('message', event => {
  const html = event.data?.html;
  if (event.source !== parent || typeof html !== 'string') return;
  frame.srcdoc = html.replace(/^\\s*(<!doctype[^>]*>)?/i, '$&<base target="_blank">');
});`;

const style = 'html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; }';

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Preview</title><style>${style}</style></head>
<body><iframe sandbox title="E-mail preview"></iframe><script>${script}</script></body>
</html>
`;

/**
 * What mails may do in the preview: be looked at, in the styles of their tags and with their pictures. The console
 * cannot show them itself: a document it makes keeps the console's policy, which has no room for such styles.
 */
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src https: http: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  // An origin of its own: whatever happens in here, it is not ours.
  'sandbox allow-scripts',
].join('; ');

/** A page that shows a mail which is not saved anywhere yet. */
export function previewPage(app: FastifyInstance): void {
  app.get('/page/mail-preview', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
      .send(page),
  );
}
