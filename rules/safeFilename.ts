const bytesMax = 200;
/** Control characters, and those that change the direction in which a name is read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are removed
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A name of a file as a person may see it and save it. Nothing is stored under it: it is somebody’s text, which must
 * name no folder and not show another name than it is.
 */
export function safeFilename(given: string, instead = 'firmware.bin'): string {
  const last = given.toWellFormed().normalize('NFC').replace(unseen, '').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(/[<>:"|?*]/g, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  return cut(name) || instead;
}

/** Most file systems take 255 bytes; a browser adds its own ending meanwhile. */
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
