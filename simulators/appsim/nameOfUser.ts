/** A person as others are to know them. */
export function nameOfUser({ name, email }: { name: string; email?: string | undefined }): string {
  return name || email || 'Unnamed';
}
