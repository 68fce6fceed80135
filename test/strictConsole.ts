import { afterEach, beforeEach, expect, vi } from 'vitest';

const errors: unknown[][] = [];

// Unexpected output to the console fails the test. A test that expects output installs its own spy.
beforeEach(() => {
  errors.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...words) => void errors.push(words));
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(errors, 'unexpected console.error').toEqual([]);
});
