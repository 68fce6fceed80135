import { afterEach, beforeEach, expect, vi } from 'vitest';

const errors: unknown[][] = [];

// What the code complains about and no test expects is a fault. A test that does expect it puts its own spy here.
beforeEach(() => {
  errors.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...words) => void errors.push(words));
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(errors, 'unexpected console.error').toEqual([]);
});
