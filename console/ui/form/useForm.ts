import { type SubmitEvent, useLayoutEffect, useRef, useState } from 'react';
import { showNotSaved } from '#console/core/submit/notSaved.ts';
import { useIsHere } from '#console/core/useIsHere.ts';
import { changedNames } from '#console/ui/code/changedNames.ts';
import { controlOf } from '#console/ui/focus/controlOf.ts';
import { CallFailed } from '#contract/client.ts';
import { forgetSentences, setSentence } from './fieldSentence.ts';

type Codes<Values> = Partial<Record<keyof Values & string, string>>;

interface FormOptions<Values> {
  /** The initial values of the form: for an edit, what the server has now. */
  initial: Values;
  /** Sends the values. `changed` holds only those that differ from the start, for edits. */
  submit: (values: Values, changed: Partial<Values>) => Promise<unknown>;
  /** The faults that can be found without asking the server: reason codes by field name. */
  check?: (values: Values) => Codes<Values>;
}

/**
 * The state of a form. The server's reasons are shown at the fields that they are about, otherwise at the top of the
 * form.
 */
export function useForm<Values extends object>({ initial, submit, check }: FormOptions<Values>) {
  const { start, values, changed, ...state } = useValues(initial);
  const refusal = useRefusal<Values>();
  const { saving, isRunning, once } = useOneAtATime();
  const isHere = useIsHere();

  function set<Name extends keyof Values & string>(name: Name, value: Values[Name]): void {
    state.set(name, value);
    refusal.forget(name);
  }

  /** The props of one field: `<TextField label="Name" {...form.field('name')} />`. */
  function field<Name extends keyof Values & string>(name: Name) {
    const onChange = (value: Values[Name]) => set(name, value);
    return { name, value: values[name], onChange, error: refusal.codes[name] };
  }

  async function attempt(form: HTMLFormElement | undefined, work: typeof submit): Promise<void> {
    const typed = state.latest();
    try {
      await work(typed, changedIn(start, typed));
      state.saved(typed);
    } catch (thrown) {
      if (!(thrown instanceof CallFailed)) throw thrown;
      if (!isHere()) return showNotSaved(thrown);
      refusal.set(thrown, typed);
      refusal.focusInvalid(form, refusal.showOnTop);
    }
  }

  async function send(form?: HTMLFormElement, work = submit): Promise<void> {
    if (isRunning()) return;
    if (refusal.clear(check?.(state.latest()))) return refusal.focusInvalid(form);
    await once(() => attempt(form, work));
  }

  return {
    values,
    changed,
    /** The error for the top of the form. */
    error: refusal.onTop,
    failure: refusal.failure,
    saving,
    dirty: Object.keys(changed).length > 0,
    isSaved: state.isSaved,
    set,
    send,
    /** Makes the form fail from outside, for a reason found in the browser. */
    fail: refusal.fail,
    /** Starts again from `next`; `typed` if the values differ from it right away. */
    reset(next: Values = start, typed: Values = next): void {
      state.reset(next, typed);
      refusal.clear();
    },
    /** Starts again after `sent` was saved; what has been typed since stays. */
    follow: state.follow,
    onSubmit: submitted(form => void send(form)),
    field,
  };
}

const submitted = (send: (form: HTMLFormElement) => void) => (event: SubmitEvent<HTMLFormElement>) => {
  event.preventDefault();
  // A dialog's form inside another form must not submit both.
  event.stopPropagation();
  send(event.currentTarget);
};

/** Prevents two quick presses from sending twice: `isRunning` changes at once, `saving` with the next render. */
function useOneAtATime() {
  const [saving, setSaving] = useState(false);
  const running = useRef(false);
  return {
    saving,
    isRunning: () => running.current,
    async once(work: () => Promise<void>): Promise<void> {
      running.current = true;
      setSaving(true);
      try {
        await work();
      } finally {
        running.current = false;
        setSaving(false);
      }
    },
  };
}

/**
 * The start stays as it was when the form opened, so that a refetch cannot change it. `latest` includes input that is
 * not rendered yet: someone who types and presses Enter at once sends what they see.
 */
function useValues<Values extends object>(initial: Values) {
  const [start, setStart] = useState(initial);
  const [values, setValues] = useState(initial);
  const latest = useRef(initial);
  const sent = useRef<Values>(undefined);
  function become(next: Values): void {
    latest.current = next;
    setValues(next);
  }
  return {
    start,
    values,
    changed: changedIn(start, values),
    latest: () => latest.current,
    saved(values: Values): void {
      sent.current = values;
    },
    /** Known before the screen is drawn again: the navigation that a save causes asks nothing. */
    isSaved: () => sent.current === latest.current,
    set: <Name extends keyof Values>(name: Name, value: Values[Name]) =>
      become({ ...latest.current, [name]: value }),
    reset(next: Values, typed: Values): void {
      setStart(next);
      become(typed);
    },
    follow(next: Values, sent: Values): void {
      setStart(next);
      become({ ...next, ...changedIn(sent, latest.current) });
    },
  };
}

function changedIn<Values extends object>(start: Values, values: Values): Partial<Values> {
  return Object.fromEntries(changedNames(start, values).map(name => [name, values[name]])) as Partial<Values>;
}

/** Why the form was refused: codes at the fields they are about, and a sentence at the top if no field shows it. */
function useRefusal<Values extends object>() {
  const [codes, setCodes] = useState<Codes<Values>>({});
  const [failure, setFailure] = useState<CallFailed>();
  const [isAtFields, setAtFields] = useState(false);
  return {
    codes,
    focusInvalid: useFocusInvalid(codes),
    failure,
    onTop: isAtFields ? undefined : failure,
    set(found: CallFailed, values: Values): void {
      setSentence(found);
      setCodes(codesOf(found, values));
      setFailure(found);
      setAtFields(found.retryAfterS === undefined && isAbout(found, values));
    },
    fail(found: CallFailed | undefined): void {
      setFailure(found);
      setAtFields(false);
    },
    /** Returns whether something was found that prevents sending. */
    clear(found: Codes<Values> = {}): boolean {
      forgetSentences(Object.values(found));
      setCodes(found);
      setFailure(undefined);
      return Object.values(found).some(Boolean);
    },
    /** Typing into a field removes its code. */
    forget: (name: keyof Values & string) => setCodes(({ [name]: _, ...others }) => others as Codes<Values>),
    showOnTop: () => setAtFields(false),
  };
}

/** The server's fault for one entry of a list, such as `redirects.1`, belongs to the field of the list. */
const fieldOf = (name: string, values: object) => (name in values ? name : name.replace(/\.\d+$/, ''));

function codesOf<Values extends object>({ fields }: CallFailed, values: Values): Codes<Values> {
  const codes = Object.entries(fields).map(([name, code]) => {
    const field = fieldOf(name, values);
    return [field, plainCode(field, Reflect.get(values, field), code)];
  });
  return Object.fromEntries(codes) as Codes<Values>;
}

/**
 * Translates the server's "too short" and "not valid" to the user's view: nothing was entered, or not an e-mail
 * address.
 */
function plainCode(name: string, value: unknown, code: string): string {
  if (code !== 'TOO_SHORT' && code !== 'INVALID') return code;
  if (typeof value === 'string' && value.trim() === '') return 'REQUIRED';
  return code === 'INVALID' && /email$/i.test(name) ? 'INVALID_EMAIL' : code;
}

function isAbout({ fields }: CallFailed, values: object): boolean {
  const names = Object.keys(fields).map(name => fieldOf(name, values));
  return names.length > 0 && names.every(name => name in values);
}

/**
 * Focuses the first invalid field after the codes are rendered, as it is not marked before. If no invalid field is on
 * screen, calls `ifNone`.
 */
function useFocusInvalid(codes: object) {
  const focus = useRef<() => void>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the faults are new objects after each refusal
  useLayoutEffect(() => {
    focus.current?.();
    focus.current = undefined;
  }, [codes]);
  return (form: HTMLFormElement | undefined, ifNone?: () => void) => {
    focus.current = () => {
      const field = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-editor][data-invalid]');
      if (field) controlOf(field).focus();
      else ifNone?.();
    };
  };
}
