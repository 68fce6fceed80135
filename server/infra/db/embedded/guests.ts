import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '#server/infra/errorCode.ts';
import { contentOf, livingProcess, nameTag } from './ownership.ts';

// A command that uses the database of another process is its guest. Both first say what they are about to do, and then look
// at what the other has said: a guest enters and then looks whether the owner is closing; the owner closes and then looks
// for guests. So at least one of them notices the other, and steps back.

const againMs = 100;
let entered = 0;

/** Enters as a guest of the database; returns a function that leaves. */
export function enter(dataDir: string): () => void {
  const folder = guestFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${process.pid}.${entered++}`);
  writeFileSync(file, nameTag(), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/**
 * Says that the database is about to stop; returns a function that takes this back. On a full disk it is not said: a command
 * that begins at this moment then fails, but the database still stops.
 */
export function close(dataDir: string): () => void {
  const file = closingFile(dataDir);
  try {
    writeFileSync(file, nameTag(), { mode: 0o600 });
  } catch (error) {
    if (!isFull(error)) throw error;
  }
  return () => rmSync(file, { force: true });
}

const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');

export function isClosing(dataDir: string): boolean {
  return livingProcess(contentOf(closingFile(dataDir)) ?? '') !== undefined;
}

/** Waits until all guests have left, and then lets no more in; returns a function that reopens. */
export async function closeAfterGuests(
  dataDir: string,
  isWaiting: (guests: readonly number[]) => void,
): Promise<() => void> {
  for (let first = true; ; first = false) {
    const reopen = close(dataDir);
    const guests = guestsOf(dataDir);
    if (guests.length === 0) return reopen;
    reopen();
    if (first) isWaiting(guests);
    await pause(againMs);
  }
}

/** The living guests; what killed ones have left is removed. */
function guestsOf(dataDir: string): number[] {
  const folder = guestFolder(dataDir);
  return namesIn(folder).flatMap(name => {
    const file = join(folder, name);
    const pid = livingProcess(contentOf(file) ?? '');
    if (pid === undefined) rmSync(file, { force: true });
    return pid ?? [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

const guestFolder = (dataDir: string) => join(dataDir, 'mooring.guests');
const closingFile = (dataDir: string) => join(dataDir, 'mooring.closing');
