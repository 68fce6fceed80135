/**
 * The `Content-Disposition` header of a file to be saved (RFC 6266). A name that is not plain ASCII is added in the
 * encoding of RFC 8187, for clients that support it.
 */
export function disposition(filename: string): string {
  const plain = filename.replace(/[^ -~]|["\\%]/g, '_');
  if (plain === filename) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
