/** Quotes a text as a single word for a POSIX shell. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
