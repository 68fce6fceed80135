/** The fields of a device in a file, in column order. */
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

/** A device in a file. A missing value is absent in JSON and an empty cell in CSV. */
export interface ExportedDevice {
  id: string;
  tag: string;
  name: string;
  description: string;
  deviceClass: string;
  channel: string;
  bundleInstalled?: string;
  /** Absent if the device is claimed; an import then generates a new one. */
  claimCode?: string;
  suspended: boolean;
  /** Absent if the project does not store keys. */
  apiKey?: string;
  /** The device's own key-value pairs. */
  kv?: Record<string, unknown>;
}
