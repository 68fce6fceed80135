import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Inlines the style sheet and the icon that the first paint waits for, which saves two requests, requests the font of
 * nearly all text, and lists the files that a signed-in user needs next, so that the script in the head can request
 * them at once.
 */
export const firstPage = (): Plugin[] => [icon(), styleAndNext(), compileHint()];

function icon(): Plugin {
  return {
    name: 'icon-in-the-page',
    transformIndexHtml: {
      order: 'pre',
      handler: html =>
        html.replace(/(<link rel="icon"[^>]*href=")\/([^"]+)/, (_, before: string, path: string) => {
          const picture = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').trim();
          // Only what would end the attribute or the address: the rest compresses better as it is.
          const address = picture.replaceAll('"', "'").replace(/[%#]/g, encodeURIComponent);
          return `${before}data:image/svg+xml,${address}`;
        }),
    },
  };
}

/** The frame around all screens, and the first calls. */
const needsNext = new Set(['frame', 'calls']);

/**
 * Lets browsers compile the code of the first page as a whole while it arrives, on another thread. Otherwise each
 * function is compiled at its first call, while nothing can be drawn: on a slow phone, for 200 ms.
 */
function compileHint(): Plugin {
  return {
    name: 'compile-hint',
    apply: 'build',
    generateBundle: {
      // The hint has to be the first line.
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && (file.isEntry || needsNext.has(file.name)))
            file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
    },
  };
}

function styleAndNext(): Plugin {
  return {
    name: 'style-and-next-files-in-the-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, path }) {
        const next = Object.values(bundle).filter(file => file.type === 'chunk' && needsNext.has(file.name));
        // The simulators have no such files.
        if (next.length < needsNext.size && path === '/index.html')
          throw new Error(`The build has no files of the names ${[...needsNext].join(', ')}.`);
        const paths = next.map(({ fileName }) => `/${fileName}`).join(' ');
        return html
          .replace(/<!--.*?-->\s*/gs, '')
          .replace('<html ', paths ? `<html data-next="${paths}" ` : '<html ')
          .replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/, (_, name: string) => {
            const file = bundle[name];
            if (file?.type !== 'asset') throw new Error(`${name} is not in the build.`);
            // The link tells lazy screens that this style is already loaded. A browser's preload scanner would still
            // fetch the file if the link were only disabled; with this type, it never does.
            const link = `<link rel="stylesheet" type="text/plain" href="/${name}" disabled>`;
            const style = String(file.source);
            return `${fontOf(style)}\n    ${link}<style>${style}</style>`;
          });
      },
    },
  };
}

/** A browser requests a font only once a text needs it. */
function fontOf(style: string): string {
  const path = /url\(([^)]*\/inter-[^)]*)\)[^}]*unicode-range:U\+20-7E/.exec(style)?.[1];
  if (!path) throw new Error('The style has no font for the letters of nearly all text.');
  return `<link rel="preload" fetchpriority="low" as="font" type="font/woff2" crossorigin href="${path}" />`;
}
