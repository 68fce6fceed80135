/** The name that users see for a device. */
export function nameOfDevice({ name, tag, id }: { name: string; tag: string; id: string }): string {
  return name || tag || id;
}
