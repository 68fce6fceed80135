import { setDiagnostics } from '@codemirror/lint';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, type ViewUpdate } from '@codemirror/view';
import type { CodeFieldProps } from '#console/ui/form/CodeField.tsx';
import { formatJson } from '#rules/json/formatJson.ts';
import { parseStrictJson } from '#rules/json/strictJson.ts';
import { baseSetup } from './baseSetup.ts';
import type { Language } from './language.ts';
import { type CodeMark, rangeOf } from './marks.ts';

type Props = Omit<CodeFieldProps, 'lines' | 'ref'>;
/** Read when needed, so that changes in React need not be passed to the editor. */
export type Latest = { readonly current: Props };

const fromOutside = Annotation.define<boolean>();
const quietMs = 250;

/**
 * One editor. It is inside a shadow root, because only there CodeMirror adds its styles as objects; in the document
 * itself it would create a `<style>` element, which the content security policy refuses.
 */
export class Editor {
  readonly #view: EditorView;
  readonly #language: Language;
  readonly #latest: Latest;
  readonly #access = new Compartment();
  #marks: readonly CodeMark[] = [];
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, language: Language, latest: Latest) {
    this.#language = language;
    this.#latest = latest;
    const root = shadowOf(host);
    const { value, singleLine = false, readOnly = false } = latest.current;
    const extensions = [
      language.extension(() => latest.current.words ?? []),
      baseSetup({ singleLine, indents: indents(language, singleLine) }),
      this.#access.of(EditorState.readOnly.of(readOnly)),
      keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => this.#save() }]),
      EditorView.contentAttributes.of(() => ({
        ...attributesOf(latest.current, this.#marks),
        ...(indents(language, singleLine) && { 'aria-description': leaving }),
      })),
      EditorView.domEventHandlers({ focus: () => latest.current.onFocus?.(), beforeinput: typeOver }),
      EditorView.updateListener.of(update => this.#onUpdate(update)),
    ];
    const state = EditorState.create({ doc: asEdited(value, singleLine), extensions });
    this.#view = new EditorView({ root, parent: root, state });
    language.begin?.(this.#view);
    this.#showMarks();
  }

  setText(text: string): void {
    const { state } = this.#view;
    const next = asEdited(text, this.#latest.current.singleLine ?? false);
    if (next === state.doc.toString()) return;
    const changes = { from: 0, to: state.doc.length, insert: next };
    this.#view.dispatch({ changes, annotations: fromOutside.of(true) });
  }

  setReadOnly(readOnly: boolean): void {
    this.#view.dispatch({ effects: this.#access.reconfigure(EditorState.readOnly.of(readOnly)) });
  }

  setMarks(marks: readonly CodeMark[]): void {
    this.#marks = marks;
    this.#showMarks();
  }

  /** Updates its attributes. */
  refresh(): void {
    this.#view.dispatch({});
  }

  insert(text: string): void {
    const { state } = this.#view;
    if (state.readOnly) return;
    this.#view.dispatch(state.replaceSelection(text), { scrollIntoView: true });
    this.#view.focus();
  }

  goTo(mark: CodeMark): void {
    const { from, to } = rangeOf(this.#view.state.doc, mark);
    this.#view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
    this.#view.focus();
  }

  focus(): void {
    this.#view.focus();
  }

  format(): void {
    const { doc, readOnly } = this.#view.state;
    const text = doc.toString();
    if (readOnly || !parseStrictJson(text).ok) return;
    this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: formatJson(text) } });
  }

  destroy(): void {
    clearTimeout(this.#waiting);
    this.#view.destroy();
  }

  #onUpdate({ docChanged, transactions, state }: ViewUpdate): void {
    if (!docChanged) return;
    if (!transactions.some(one => one.annotation(fromOutside)))
      this.#latest.current.onChange?.(state.doc.toString());
    if (!this.#language.faults) return;
    // Marks of the previous text no longer apply; new ones are found shortly.
    this.#marks = [];
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.#showMarks(), quietMs);
  }

  #showMarks(): void {
    const { state } = this.#view;
    const given = this.#marks.map(mark => ({
      ...rangeOf(state.doc, mark),
      severity: 'error' as const,
      message: mark.message,
    }));
    this.#view.dispatch(setDiagnostics(state, [...(this.#language.faults?.(state) ?? []), ...given]));
  }

  #save(): boolean {
    this.#latest.current.onSave?.();
    return true;
  }
}

/**
 * Replaces the selection with what is typed. If left to Chromium, it would keep the look of the selected text in a
 * style attribute, which the policy refuses with an error.
 */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main;
  const text = event.data;
  if (event.inputType !== 'insertText' || !text || empty || view.composing || view.state.readOnly)
    return false;
  event.preventDefault();
  const insert = () =>
    view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
  const taken = view.state
    .facet(EditorView.inputHandler)
    .some(handler => handler(view, from, to, text, insert));
  if (!taken) view.dispatch(insert());
  return true;
}

function shadowOf(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: 'open' });
}

function attributesOf(
  { label, readOnly, invalid }: Props,
  marks: readonly CodeMark[],
): Record<string, string> {
  return {
    'aria-label': label,
    // It can be focused without this, but accessibility checkers do not know that.
    tabindex: '0',
    spellcheck: 'false',
    ...((invalid || marks.length > 0) && { 'aria-invalid': 'true' }),
    ...(readOnly && { 'aria-readonly': 'true' }),
  };
}

const indents = ({ isOneExpression }: Language, singleLine: boolean) => !singleLine && !isOneExpression;
const leaving = 'Tab indents. To leave with Tab, press Escape first.';

/** The text as the editor stores it: one kind of line break, or none. */
function asEdited(text: string, singleLine: boolean): string {
  return singleLine ? text.replace(/\s*[\r\n]+\s*/g, ' ') : text.replace(/\r\n?/g, '\n');
}
