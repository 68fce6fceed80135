import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  isLeaving,
  leavingItem,
  leavingItems,
  leavingProject,
  screenGoneMs,
  whenNotLeaving,
} from './leavingProject.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

it('while an item is deleted, it and all that is read about it is left alone, and only that', async () => {
  await leavingItem('/users/usr_1', async () => {
    expect(isLeaving('/users/usr_1')).toBe(true);
    expect(isLeaving('/users/usr_1/sessions')).toBe(true);
    expect(isLeaving('/homes', { userId: 'usr_1', limit: 100 })).toBe(true);
    expect(isLeaving('/homes', { userId: 'usr_10' })).toBe(false);
    expect(isLeaving('/users/usr_10')).toBe(false);
    expect(isLeaving('/users', { projectId: 'prj_1' })).toBe(false);
  });
  vi.advanceTimersByTime(screenGoneMs);
  expect(isLeaving('/users/usr_1')).toBe(false);
});

it('reads of a project that is left are left alone, also those whose path does not name it', async () => {
  await leavingProject('prj_1', async () => {
    expect(isLeaving('/devices', { projectId: 'prj_1' })).toBe(true);
    expect(isLeaving('/devices', { projectId: 'prj_2' })).toBe(false);
  });
});

it('items that are deleted together are left together, and come back if the deletion fails', async () => {
  const refused = leavingItems(['/users/usr_1', '/homes/7'], async () => {
    expect(isLeaving('/homes/7/members')).toBe(true);
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  expect(isLeaving('/homes/7/members')).toBe(false);
});

it('a read about an item that is being deleted waits until its screen is gone too, others do not', async () => {
  const steps: string[] = [];
  const reads: Promise<unknown>[] = [];
  await leavingItem('/homes/7', async () => {
    reads.push(whenNotLeaving('/homes/7/devices').then(() => steps.push('read')));
    await whenNotLeaving('/homes/8');
    steps.push('deleted');
  });
  await vi.advanceTimersByTimeAsync(screenGoneMs - 1);
  expect(steps).toEqual(['deleted']);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(reads);
  expect(steps).toEqual(['deleted', 'read']);
});
