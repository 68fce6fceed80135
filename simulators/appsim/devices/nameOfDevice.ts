/** What people call a device. */
export function nameOfDevice({ name, tag, id }: { name: string; tag: string; id: string }): string {
  return name || tag || id;
}
