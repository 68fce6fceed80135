import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writingTo } from './dataDir.ts';
import { createFile } from './durableFile.ts';
import { StartFault } from './startFault.ts';

/** Encrypts values that must be readable again (TOTP secrets, e-mails with links) with the master key. */
export interface Sealing {
  seal(text: string): Buffer;
  open(sealed: Buffer): string;
  /** A keyed hash, for values that could be guessed if their plain hash leaked. */
  mac(text: string): Buffer;
  /** Identifies the master key without revealing anything about it. */
  fingerprint: string;
}

const keyBytes = 32;
const keyIdBytes = 4;
const fingerprintBytes = 8;
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM. The id of the key comes first, so that a wrong MASTER_KEY can be told from a damaged row. */
export function createSealing(masterKey: Buffer): Sealing {
  const key = createHmac('sha256', masterKey).update('mooring sealing').digest();
  const macKey = createHmac('sha256', masterKey).update('mooring mac').digest();
  const keyHash = createHash('sha256').update(key).digest();
  const keyId = keyHash.subarray(0, keyIdBytes);
  return {
    fingerprint: keyHash.subarray(0, fingerprintBytes).toString('hex'),
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

export function opens(sealing: Sealing, sealed: Buffer): boolean {
  try {
    sealing.open(sealed);
    return true;
  } catch {
    return false;
  }
}

/** A master key, or where one was looked for. */
export interface MasterKey {
  /** Undefined if there is none yet. */
  key: Buffer | undefined;
  /** Its file, unless it is set in the environment. */
  file: string | undefined;
}

/** MASTER_KEY from the environment, or the key in the data folder. */
export function readMasterKey(given: Buffer | undefined, dataDir: string): MasterKey {
  if (given) return { key: given, file: undefined };
  const file = join(dataDir, 'master.key');
  if (!existsSync(file)) return { key: undefined, file };
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  // What half a key encrypted could never be decrypted again.
  if (key.length !== keyBytes)
    throw new StartFault(
      `${file} is damaged: it must contain ${keyBytes} bytes in base64. Restore it from a backup.`,
    );
  return { key, file };
}

/** Creates a key in the data folder, readable by its owner alone; of several processes, one creates it for all. */
export function createMasterKey(dataDir: string): Buffer {
  writingTo(dataDir, () => {
    mkdirSync(dataDir, { recursive: true });
    createFile(join(dataDir, 'master.key'), randomBytes(keyBytes).toString('base64'));
  });
  const { key } = readMasterKey(undefined, dataDir);
  if (!key) throw new Error('The master key was removed while it was created.');
  return key;
}
