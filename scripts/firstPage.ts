import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Puts into the page itself what its first paint waits for: the style sheet and the icon, each a request less; and names
 * the files that whoever is signed in needs next, so that the script in the head can ask for them at once.
 */
export const firstPage = (): Plugin[] => [icon(), styleAndNext()];

function icon(): Plugin {
  return {
    name: 'icon-in-the-page',
    transformIndexHtml: {
      order: 'pre',
      handler: html =>
        html.replace(/(<link rel="icon"[^>]*href=")\/([^"]+)/, (_, before: string, path: string) => {
          const picture = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
          return `${before}data:image/svg+xml,${encodeURIComponent(picture)}`;
        }),
    },
  };
}

/** The frame around all screens, and the calls that they begin with. */
const needsNext = new Set(['frame', 'calls']);

function styleAndNext(): Plugin {
  return {
    name: 'style-and-next-files-in-the-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, path }) {
        const next = Object.values(bundle).filter(file => file.type === 'chunk' && needsNext.has(file.name));
        // The simulators have none.
        if (next.length < needsNext.size && path === '/index.html')
          throw new Error(`The build has no files of the names ${[...needsNext].join(', ')}.`);
        const paths = next.map(({ fileName }) => `/${fileName}`).join(' ');
        return html
          .replace(/<!--.*?-->\s*/gs, '')
          .replace('<html ', paths ? `<html data-next="${paths}" ` : '<html ')
          .replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/, (_, name: string) => {
            const file = bundle[name];
            if (file?.type !== 'asset') throw new Error(`${name} is not in the build.`);
            // The link tells lazy screens that this style is there. Of a disabled one alone, a browser that looks ahead fetches
            // the file all the same; of this type it never does.
            return `<link rel="stylesheet" type="text/plain" href="/${name}" disabled><style>${String(file.source)}</style>`;
          });
      },
    },
  };
}
