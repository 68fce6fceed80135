import type { Faults, Place } from './templateFaults.ts';

interface Open extends Place {
  /** An element, a block (`if`), or the edge of a comment or attribute value, which nothing can span. */
  kind: 'element' | 'block' | 'edge';
  name: string;
  hasElse?: boolean;
}

const depthMax = 100;

/**
 * What is open at a position of a template. Elements and blocks share one stack, so each branch of an `if` must close
 * what it opens: then the e-mail is well-formed whichever branch is taken.
 */
export class Structure {
  readonly #open: Open[] = [];
  readonly #faults: Faults;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  openElement(name: string, place: Place): void {
    this.#push({ kind: 'element', name, ...place });
  }

  closeElement(name: string, place: Place): void {
    const within = this.#open.findLastIndex(({ kind }) => kind !== 'element');
    const found = this.#open.findLastIndex(open => open.kind === 'element' && open.name === name);
    if (found <= within) {
      const where = found === -1 ? 'nothing that is open here' : 'an element opened outside this block';
      this.#faults.add('UNOPENED_ELEMENT', place, `This </${name}> closes ${where}.`);
      return;
    }
    this.#closeAbove(found);
    this.#open.pop();
  }

  openBlock(name: string, place: Place): void {
    this.#push({ kind: 'block', name, ...place });
  }

  /** `elsif` and `else` */
  branch(name: string, place: Place): void {
    const block = this.#toBlock();
    if (!block) this.#unexpected(name, place, 'is outside an if or unless');
    else if (block.hasElse) this.#unexpected(name, place, 'comes after the else of its block');
    else block.hasElse = name === 'else';
  }

  /** `endif` and `endunless` */
  closeBlock(name: string, place: Place): void {
    const block = this.#toBlock();
    if (block?.name === name) this.#open.pop();
    else if (block) this.#unexpected(`end${name}`, place, `cannot end ${block.name}; use end${block.name}`);
    else this.#unexpected(`end${name}`, place, 'ends nothing that is open here');
  }

  /** Checks a comment or an attribute value, which must close everything that it opens. */
  within(work: () => void): void {
    const depth = this.#open.length;
    this.#open.push({ kind: 'edge', name: '', at: 0, length: 0 });
    work();
    this.#closeAbove(depth);
    this.#open.length = depth;
  }

  end(): void {
    if (!this.#faults.isFull) this.#closeAbove(-1);
  }

  #push(open: Open): void {
    if (this.#open.length === depthMax) {
      this.#faults.add(
        'TOO_DEEP',
        open,
        `Elements and blocks can be nested at most ${depthMax} levels deep.`,
      );
      this.#faults.giveUp();
    }
    this.#open.push(open);
  }

  /** Returns the innermost block, and reports elements left open in it. */
  #toBlock(): Open | undefined {
    const found = this.#open.findLastIndex(({ kind }) => kind !== 'element');
    const block = this.#open[found];
    if (block?.kind !== 'block') return undefined;
    this.#closeAbove(found);
    return block;
  }

  #closeAbove(index: number): void {
    for (const { kind, name, at, length } of this.#open.splice(index + 1)) {
      const place = { at, length };
      if (kind === 'element')
        this.#faults.add('UNCLOSED_ELEMENT', place, `This <${name}> is not closed in the right place.`);
      if (kind === 'block') this.#faults.add('UNCLOSED_BLOCK', place, `This ${name} has no end${name}.`);
    }
  }

  #unexpected(name: string, place: Place, why: string): void {
    this.#faults.add('UNEXPECTED_TAG', place, `This ${name} ${why}.`);
  }
}
