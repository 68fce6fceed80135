import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * Receives the HTML of an e-mail from the embedding page, and shows it in a nested frame where no script runs, not even
 * ours. Links open new windows, which that frame may not do, so a click has no effect.
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
 * Allows e-mails in the preview only their inline styles and their pictures. The console cannot show them itself,
 * because a document it creates inherits the console's policy, which forbids such styles.
 */
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src https: http: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  // Gives the page its own origin, so that nothing in it can act as the console.
  'sandbox allow-scripts',
].join('; ');

/** A page that shows an e-mail that is not saved yet. */
export function previewPage(app: FastifyInstance): void {
  app.get('/page/mail-preview', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
      .send(page),
  );
}
