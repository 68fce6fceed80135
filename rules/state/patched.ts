import { isObject } from '../json/mergePatch.ts';

/**
 * A JSON value to which merge patches are applied one after another. Copies only what was handed out in between: a value
 * with thousands of members would otherwise be copied for each patch.
 */
export class Patched {
  #value: unknown;
  /** Objects that nobody else has. */
  #own = new WeakSet<object>();

  constructor(value: unknown) {
    this.#value = value;
  }

  /** The value so far. Later patches do not change it. */
  get value(): unknown {
    this.#own = new WeakSet();
    return this.#value;
  }

  apply(patch: unknown): void {
    this.#value = this.#merged(this.#value, patch);
  }

  #merged(target: unknown, patch: unknown): unknown {
    if (!isObject(patch)) return patch;
    const merged = this.#owned(target);
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) delete merged[name];
      else set(merged, name, this.#merged(Object.hasOwn(merged, name) ? merged[name] : undefined, value));
    }
    return merged;
  }

  #owned(target: unknown): Record<string, unknown> {
    if (isObject(target) && this.#own.has(target)) return target;
    const copy = isObject(target) ? { ...target } : {};
    this.#own.add(copy);
    return copy;
  }
}

/** An assignment would not create a member named `__proto__`. */
function set(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
