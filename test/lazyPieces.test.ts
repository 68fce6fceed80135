import { expect, it } from 'vitest';
import { isTest, sourceFiles } from './architecture/sourceFiles.ts';

/** What knows how to go on without the code of its parts. */
const boundaries = ['console/ui/lazy/LazyPiece.tsx', 'console/frame/layout/overlays/Overlays.tsx'];

const code = sourceFiles.filter(file => /^(console|simulators)\/.*\.tsx$/.test(file.path) && !isTest(file));

it('every component with a file of its own is in a boundary, so that a file that is gone takes nothing along', () => {
  const lazy = code.filter(({ text }) => /\blazy\(/.test(text));
  expect(lazy.length).toBeGreaterThan(3);
  const bare = lazy.filter(({ path, text }) => !boundaries.includes(path) && !text.includes('<LazyPiece'));
  expect(bare.map(({ path }) => path)).toEqual([]);
  const waiting = code.filter(({ path, text }) => text.includes('<Suspense') && !boundaries.includes(path));
  expect(waiting.map(({ path }) => path)).toEqual([]);
});
