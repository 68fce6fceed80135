import { Patched } from '#rules/state/patched.ts';

export type State = Record<string, unknown>;

/**
 * The reported states of a device right after some events: the latest one, with the changes undone that came later. What
 * is not asked for costs nothing, because a state can be far larger in memory than as text.
 */
export class StatesThen {
  readonly #text: string;
  readonly #undoText: string;
  /** The numbers of the events, latest first. */
  readonly #seqs: readonly bigint[];
  #states: ReadonlyMap<bigint, State> | undefined;
  #latest: State | undefined;

  /** `undoText`: the undo patches of later reports, latest first, each with its number. */
  constructor(text: string | null, undoText: string | null, seqs: readonly string[]) {
    this.#text = text ?? '{}';
    this.#undoText = undoText ?? '[]';
    this.#seqs = [...new Set(seqs.map(BigInt))].sort((a, b) => (a < b ? 1 : -1));
  }

  /** The length of everything as text. */
  get bytes(): number {
    return this.#text.length + this.#undoText.length;
  }

  /** What the state after another event adds to that: a copy, if changes came later. */
  get moreBytes(): number {
    return this.#undoText === '[]' ? 0 : this.#text.length;
  }

  get latest(): State {
    this.#latest ??= JSON.parse(this.#text) as State;
    return this.#latest;
  }

  after(seq: string): State {
    this.#states ??= this.#goBack();
    return this.#states.get(BigInt(seq)) ?? this.latest;
  }

  /** Undoes each change once, however many events there are. */
  #goBack(): ReadonlyMap<bigint, State> {
    const undos = (JSON.parse(this.#undoText) as [string, object][]).map(
      ([seq, undo]) => [BigInt(seq), undo] as const,
    );
    const state = new Patched(this.latest);
    const states = new Map<bigint, State>();
    let undone = 0;
    for (const seq of this.#seqs) {
      for (; (undos[undone]?.[0] ?? 0n) > seq; undone++) state.apply(undos[undone]?.[1]);
      states.set(seq, state.value as State);
    }
    return states;
  }
}
