const bytesMax = 200;
/** Control characters, and characters that change the reading direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A filename that is safe to show and to save. Nothing is stored under this name: it comes from a user, and must
 * neither contain a folder nor display as a different name.
 */
export function safeFilename(given: string, instead = 'firmware.bin'): string {
  const last = given.toWellFormed().normalize('NFC').replace(unseen, '').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(/[<>:"|?*]/g, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  return cut(name) || instead;
}

/** Most file systems allow 255 bytes, and browsers append a suffix while downloading. */
function cut(name: string): string {
  const encoder = new TextEncoder();
  let kept = '';
  let bytes = 0;
  for (const character of name) {
    bytes += encoder.encode(character).length;
    if (bytes > bytesMax) return kept;
    kept += character;
  }
  return kept;
}
