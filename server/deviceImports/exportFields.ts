/** What a file of devices says of each, in the order of its columns. */
export const exportFields = [
  'id',
  'tag',
  'name',
  'description',
  'deviceClass',
  'channel',
  'bundleInstalled',
  'claimCode',
  'suspended',
  'apiKey',
  'kv',
] as const;
export type ExportField = (typeof exportFields)[number];

/** A device in a file. What it does not have is absent in JSON and an empty cell in CSV. */
export interface ExportedDevice {
  id: string;
  tag: string;
  name: string;
  description: string;
  deviceClass: string;
  channel: string;
  bundleInstalled?: string;
  /** Absent of a claimed device: imported, it gets a new one. */
  claimCode?: string;
  suspended: boolean;
  /** Absent where the project forgets keys. */
  apiKey?: string;
  /** Its own key-value pairs, by key. */
  kv?: Record<string, unknown>;
}
