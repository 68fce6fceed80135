import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const rules = globSync('console/**/*.css').flatMap(path =>
  [...readFileSync(path, 'utf8').matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    place: `${path} ${selector.trim()}`,
    body,
  })),
);

it('text for screen readers in a box that scrolls does not make the page longer', () => {
  const scrolling = rules.filter(({ body }) => /overflow(-[xy])?: (hidden )?auto/.test(body));
  expect(scrolling.length).toBeGreaterThan(10);
  // It is positioned absolutely, so a box without a position of its own would not hold it.
  const open = scrolling.filter(({ body }) => !/position: (relative|absolute|fixed|sticky)/.test(body));
  // The browser positions dialogs.
  expect(open.map(({ place }) => place).filter(place => !place.endsWith('.dialog'))).toEqual([]);
});
