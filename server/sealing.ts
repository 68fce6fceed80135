import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartFault } from './startFault.ts';

/** Encrypts values that must be readable again (TOTP secrets, e-mails with links) with the master key. */
export interface Sealing {
  seal(text: string): Buffer;
  open(sealed: Buffer): string;
  /** A keyed hash, for values that could be guessed if their plain hash leaked. */
  mac(text: string): Buffer;
}

const keyBytes = 32;
const keyIdBytes = 4;
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM. The id of the key comes first, so that a wrong MASTER_KEY can be told from a damaged row. */
export function createSealing(masterKey: Buffer): Sealing {
  const key = createHmac('sha256', masterKey).update('mooring sealing').digest();
  const macKey = createHmac('sha256', masterKey).update('mooring mac').digest();
  const keyId = createHash('sha256').update(key).digest().subarray(0, keyIdBytes);
  return {
    seal(text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([keyId, iv, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      if (!sealed.subarray(0, keyIdBytes).equals(keyId)) {
        throw new Error('A secret was encrypted with another MASTER_KEY. Start with the original key.');
      }
      const iv = sealed.subarray(keyIdBytes, keyIdBytes + ivBytes);
      const tag = sealed.subarray(keyIdBytes + ivBytes, keyIdBytes + ivBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
      decipher.setAuthTag(tag);
      const body = sealed.subarray(keyIdBytes + ivBytes + tagBytes);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    mac: text => createHmac('sha256', macKey).update(text).digest(),
  };
}

/** MASTER_KEY from the environment, or a key created once in the data folder, readable by its owner alone. */
export function readMasterKey(given: Buffer | undefined, dataDir: string): Buffer {
  if (given) return given;
  const path = join(dataDir, 'master.key');
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path, randomBytes(keyBytes).toString('base64'), { mode: 0o600, flag: 'wx' });
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  // A killed start or a full disk can leave half a file. Whatever that key sealed could never be opened again.
  if (key.length !== keyBytes)
    throw new StartFault(
      `${path} is damaged: it must contain ${keyBytes} bytes in base64. Restore it from a backup.`,
    );
  return key;
}
