/** The text of a default e-mail. Every part is template text: its braces are filled in for each e-mail. */
interface Says {
  heading: string;
  /** Paragraphs before the button. */
  before: readonly string[];
  button?: string;
  /** Smaller paragraphs after the button. */
  after: readonly string[];
}

const font = "font-family: Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;";

/**
 * The HTML of a default e-mail, formatted for reading and editing, because developers start from it. Mail programs keep
 * inline styles and drop most others, so `<style>` contains only the dark theme, which must override the inline styles.
 */
export function defaultLayout({ heading, before, button, after }: Says): string {
  const link = button === undefined ? '' : linkTo(button);
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <meta name="color-scheme" content="light dark">
  <title>${heading}</title>
  <style>
    :root { color-scheme: light dark; }
    @media (prefers-color-scheme: dark) {
      .page { background: #0e141b !important; }
      .card { background: #151d26 !important; border-color: #253140 !important; }
      .text { color: #e6ebf1 !important; }
      .muted { color: #93a1b0 !important; }
      .link { color: #6ea8ff !important; }
      .button { background: #6ea8ff !important; color: #0e141b !important; }
    }
  </style>
</head>
<body class="page" style="margin: 0; padding: 32px 16px; background: #f7f8fa; ${font}">
  <div class="card" style="max-width: 456px; margin: 0 auto; padding: 32px; background: #ffffff; border: 1px solid #e3e7ec; border-radius: 8px;">
    <p class="muted" style="margin: 0 0 20px; font-size: 13px; line-height: 20px; font-weight: 600; color: #5b6875;">{{ project.name }}</p>
    <h1 class="text" style="margin: 0 0 12px; font-size: 20px; line-height: 28px; font-weight: 600; color: #16202b;">${heading}</h1>
${before.map(paragraph).join('')}${link}${after.map(aside).join('')}  </div>
</body>
</html>
`;
}

function paragraph(text: string): string {
  return `    <p class="text" style="margin: 0 0 12px; font-size: 14px; line-height: 22px; color: #16202b;">${text}</p>\n`;
}

function aside(text: string): string {
  return `    <p class="muted" style="margin: 16px 0 0; font-size: 13px; line-height: 20px; color: #5b6875;">${text}</p>\n`;
}

function linkTo(label: string): string {
  return `    <p style="margin: 24px 0 16px;">
      <a class="button" href="{{ link.url }}" style="display: inline-block; padding: 10px 20px; font-size: 14px; line-height: 20px; font-weight: 600; color: #ffffff; background: #1559c7; border-radius: 6px; text-decoration: none;">${label}</a>
    </p>
    <p class="muted" style="margin: 0; font-size: 13px; line-height: 20px; color: #5b6875;">
      Or open this link:<br>
      <a class="link" href="{{ link.url }}" style="color: #1559c7; word-break: break-all;">{{ link.url }}</a>
    </p>
`;
}
