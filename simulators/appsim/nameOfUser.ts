/** The name that others see for a user. */
export function nameOfUser({ name, email }: { name: string; email?: string | undefined }): string {
  return name || email || 'Unnamed';
}
