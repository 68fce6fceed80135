import { propertiesOf } from '#console/devices/schema/schemaProperties.ts';
import { figure, unitOf } from '#console/devices/schema/schemaWords.ts';
import { hourText } from '#console/ui/time/dateTexts.ts';
import { durationText } from '#console/ui/time/TimeAgo.tsx';
import type { Command } from '#contract/command.ts';

/** One figure, and what it means. */
export interface Vital {
  value: string;
  note?: string;
}

/** Above the first, Wi-Fi and meter radios work comfortably; above the second, they still work. */
const goodDbm = -67;
const fairDbm = -80;

/** The property that a schema gives in dBm, if the device reports it. */
export function signalOf(stateSchema: unknown, reported: unknown): Vital | undefined {
  const property = propertiesOf(stateSchema).find(({ schema }) => unitOf(schema) === 'dBm');
  const value = property?.keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown>)?.[key],
    reported,
  );
  if (typeof value !== 'number') return undefined;
  const word = value >= goodDbm ? 'good' : value >= fairDbm ? 'fair' : 'weak';
  return { value: `${figure(value)} dBm`, note: word };
}

/** How long the last answered command took from when it was sent. */
export function roundTripOf(commands: readonly Command[]): Vital {
  const answered = commands.find(
    ({ stage, sentAt, finishedAt }) => (stage === 'done' || stage === 'failed') && sentAt && finishedAt,
  );
  if (!answered?.sentAt || !answered.finishedAt)
    return { value: '–', note: commands.length === 0 ? 'no commands' : 'none answered' };
  const ms = Math.max(0, Date.parse(answered.finishedAt) - Date.parse(answered.sentAt));
  return {
    value: ms < 10_000 ? `${ms} ms` : durationText(ms),
    note: `${answered.name}, ${hourText(Date.parse(answered.finishedAt))}`,
  };
}
