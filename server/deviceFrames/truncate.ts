/** The beginning of a text as a text of its own: for a mere part V8 keeps all of it alive. */
export function truncate(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : Buffer.from(text.slice(0, lengthMax)).toString();
}
