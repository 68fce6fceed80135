import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why the client in C cannot be compiled here; '' if it can. */
export const whyNoCompiler = (() => {
  const dir = mkdtempSync(join(tmpdir(), 'mooring-cc-'));
  const code =
    '#include <curl/curl.h>\n#include <mosquitto.h>\n#include <openssl/evp.h>\nint main(void) { return 0; }';
  try {
    const args = ['-xc', '-', '-o', join(dir, 'probe'), '-lcurl', '-lmosquitto', '-lcrypto'];
    execFileSync('cc', args, { input: code, stdio: ['pipe', 'ignore', 'ignore'] });
    return '';
  } catch {
    return '(skipped: apt install build-essential libcurl4-openssl-dev libmosquitto-dev libssl-dev)';
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
})();
