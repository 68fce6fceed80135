/**
 * SHA-256 (FIPS 180-4) of data that arrives in chunks. The browser's own implementation needs all data at once, and is
 * only available on pages loaded over https.
 */
export class Sha256 {
  readonly #state = Uint32Array.from(initial);
  readonly #schedule = new Uint32Array(64);
  /** Bytes that do not fill a block yet. */
  readonly #block = new Uint8Array(64);
  readonly #view = new DataView(this.#block.buffer);
  #filled = 0;
  #length = 0;

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + 64 - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === 64) this.#mix();
    }
  }

  /** The digest of all data; nothing may be added afterwards. */
  hex(): string {
    const bits = this.#length * 8;
    this.update(Uint8Array.of(0x80));
    while (this.#filled !== 56) this.update(Uint8Array.of(0));
    this.#view.setUint32(56, Math.floor(bits / 2 ** 32));
    this.#view.setUint32(60, bits);
    this.#mix();
    return [...this.#state].map(word => word.toString(16).padStart(8, '0')).join('');
  }

  #mix(): void {
    const w = this.#schedule;
    for (let t = 0; t < 16; t++) w[t] = this.#view.getUint32(t * 4);
    for (let t = 16; t < 64; t++) {
      const [a, b] = [w[t - 15] ?? 0, w[t - 2] ?? 0];
      const small0 = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
      const small1 = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
      w[t] = (w[t - 16] ?? 0) + small0 + (w[t - 7] ?? 0) + small1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = this.#state;
    for (let t = 0; t < 64; t++) {
      const big1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const one = (h + big1 + ((e & f) ^ (~e & g)) + (constants[t] ?? 0) + (w[t] ?? 0)) | 0;
      const big0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => {
      this.#state[at] = (this.#state[at] ?? 0) + word;
    });
    this.#filled = 0;
  }
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first fractional bits of the roots of the first primes (4.2.2, 5.3.3). */
const primes = Array.from({ length: 310 }, (_, at) => at + 2).filter(isPrime);
const constants = Uint32Array.from(primes, prime => fraction(Math.cbrt(prime)));
const initial = Uint32Array.from(primes.slice(0, 8), prime => fraction(Math.sqrt(prime)));

function isPrime(n: number): boolean {
  for (let by = 2; by * by <= n; by++) if (n % by === 0) return false;
  return true;
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}
