/** More than a signature in base64 with a line break; the rest of a wrong file is not read. */
const readMax = 200;
const signatureBytes = 64;

/** The signature in a file, in base64, whether the file contains it as text or as bytes. */
export async function signatureIn(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, readMax).arrayBuffer());
  if (bytes.length === signatureBytes) return btoa(String.fromCharCode(...bytes));
  return new TextDecoder().decode(bytes).trim();
}
