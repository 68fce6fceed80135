interface Range {
  from: number;
  to: number;
}

/**
 * The place in a JSON text that a JSON pointer refers to; if it does not exist, the nearest enclosing value that does.
 * The text must be valid JSON.
 */
export function jsonPlace(text: string, pointer: string): Range {
  const wanted = pointer.split('/').slice(1).map(unescaped);
  const walk = new Walk(text, wanted);
  walk.value(0);
  return walk.found;
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Scans a text once from its beginning; `depth` is how many of the wanted names match the path so far. */
class Walk {
  found: Range;
  readonly #text: string;
  readonly #wanted: readonly string[];
  #at = 0;

  constructor(text: string, wanted: readonly string[]) {
    this.#text = text;
    this.#wanted = wanted;
    this.found = { from: 0, to: text.length };
  }

  /** -1: not on the wanted path. */
  value(depth: number): void {
    this.#skipBlanks();
    const from = this.#at;
    const opening = this.#text[from];
    // Set before the contents, which are deeper and come later.
    if (depth >= 0) this.found = { from, to: from + 1 };
    if (opening === '{') this.#members(depth);
    else if (opening === '[') this.#items(depth);
    else if (opening === '"') this.#string();
    else this.#at += /^[^\s,\]}]*/.exec(this.#text.slice(from))?.[0].length || 1;
    if (depth === this.#wanted.length) this.found = { from, to: this.#at };
  }

  #members(depth: number): void {
    this.#at += 1;
    for (this.#skipBlanks(); this.#more('}'); this.#skipBlanks()) {
      const name = JSON.parse(this.#string()) as string;
      this.#skipBlanks();
      this.#at += 1;
      this.value(this.#next(depth, name));
      this.#skipBlanks();
      if (this.#text[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
  }

  #items(depth: number): void {
    this.#at += 1;
    let index = 0;
    for (this.#skipBlanks(); this.#more(']'); this.#skipBlanks()) {
      this.value(this.#next(depth, String(index)));
      index += 1;
      this.#skipBlanks();
      if (this.#text[this.#at] === ',') this.#at += 1;
    }
    this.#at += 1;
  }

  #next(depth: number, name: string): number {
    return depth >= 0 && this.#wanted[depth] === name ? depth + 1 : -1;
  }

  #more(end: string): boolean {
    return this.#at < this.#text.length && this.#text[this.#at] !== end;
  }

  #string(): string {
    const from = this.#at;
    this.#at += 1;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"')
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    this.#at += 1;
    return this.#text.slice(from, this.#at);
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}
