import { type SubmitEvent, useLayoutEffect, useRef, useState } from 'react';
import { changedNames } from '#console/ui/code/changedNames.ts';
import { CallFailed } from '#contract/client.ts';
import { forgetSentences, noteSentence } from './fieldSentence.ts';

type Codes<Values> = Partial<Record<keyof Values & string, string>>;

interface FormOptions<Values> {
  /** What the form starts from: for an edit, what the server has now. */
  initial: Values;
  /** Sends. `changed` holds only what differs from the start, for edits. */
  submit: (values: Values, changed: Partial<Values>) => Promise<unknown>;
  /** What can be said before asking the server: field name to reason code. */
  check?: (values: Values) => Codes<Values>;
}

/** The state of one form. The server's reasons land beside the fields they are about, else on top of the form. */
export function useForm<Values extends object>({ initial, submit, check }: FormOptions<Values>) {
  const { start, values, changed, ...state } = useValues(initial);
  const refusal = useRefusal<Values>();
  const { saving, isRunning, once } = useOneAtATime();

  function set<Name extends keyof Values & string>(name: Name, value: Values[Name]): void {
    state.set(name, value);
    refusal.forget(name);
  }

  /** For one field: `<TextField label="Name" {...form.field('name')} />`. */
  const field = <Name extends keyof Values & string>(name: Name) => ({
    name,
    value: values[name],
    onChange: (value: Values[Name]) => set(name, value),
    error: refusal.codes[name],
  });

  async function attempt(form: HTMLFormElement | undefined, work: typeof submit): Promise<void> {
    const typed = state.latest();
    try {
      await work(typed, changedIn(start, typed));
    } catch (thrown) {
      if (!(thrown instanceof CallFailed)) throw thrown;
      refusal.set(thrown, typed);
      refusal.focusInvalid(form, refusal.showOnTop);
    }
  }

  async function send(form?: HTMLFormElement, work = submit): Promise<void> {
    if (isRunning()) return;
    const found = check?.(state.latest()) ?? {};
    refusal.clear(found);
    if (Object.values(found).some(Boolean)) return refusal.focusInvalid(form);
    await once(() => attempt(form, work));
  }

  return {
    values,
    changed,
    /** What is to stand on top of the form. */
    error: refusal.onTop,
    failure: refusal.failure,
    saving,
    dirty: Object.keys(changed).length > 0,
    set,
    send,
    /** Fails the form from outside, where the reason is found on this side. */
    fail: refusal.fail,
    /** A new start; `typed` where the values differ from it at once. */
    reset(next: Values = start, typed: Values = next): void {
      state.reset(next, typed);
      refusal.clear();
    },
    /** A new start, as `sent` was saved; what was typed since then stays. */
    follow: state.follow,
    onSubmit: submitted(form => void send(form)),
    field,
  };
}

const submitted = (send: (form: HTMLFormElement) => void) => (event: SubmitEvent<HTMLFormElement>) => {
  event.preventDefault();
  // A dialog's form inside another form must not send both.
  event.stopPropagation();
  send(event.currentTarget);
};

/** Nothing is sent twice by two quick presses: `isRunning` knows at once, `saving` with the next render. */
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
 * The start stays what it was when the form opened, so that a refetch meanwhile cannot move the ground. `latest` is what
 * was typed even where it is not rendered yet: whoever types and presses Enter at once sends what they see.
 */
function useValues<Values extends object>(initial: Values) {
  const [start, setStart] = useState(initial);
  const [values, setValues] = useState(initial);
  const latest = useRef(initial);
  function become(next: Values): void {
    latest.current = next;
    setValues(next);
  }
  return {
    start,
    values,
    changed: changedIn(start, values),
    latest: () => latest.current,
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

/** Why the form was refused: codes beside the fields they are about, and a sentence on top unless it stands there too. */
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
      noteSentence(found);
      setCodes(codesOf(found, values));
      setFailure(found);
      setAtFields(found.retryAfterS === undefined && isAbout(found, values));
    },
    fail(found: CallFailed | undefined): void {
      setFailure(found);
      setAtFields(false);
    },
    clear(found: Codes<Values> = {}): void {
      forgetSentences(Object.values(found));
      setCodes(found);
      setFailure(undefined);
    },
    /** Typing into a field takes its code away. */
    forget: (name: keyof Values & string) => setCodes(({ [name]: _, ...others }) => others as Codes<Values>),
    showOnTop: () => setAtFields(false),
  };
}

/** What the server says of one entry of a list belongs to the field that holds the list: `redirects.1`. */
const fieldOf = (name: string, values: object) => (name in values ? name : name.replace(/\.\d+$/, ''));

function codesOf<Values extends object>({ fields }: CallFailed, values: Values): Codes<Values> {
  const codes = Object.entries(fields).map(([name, code]) => {
    const field = fieldOf(name, values);
    return [field, plainCode(field, Reflect.get(values, field), code)];
  });
  return Object.fromEntries(codes) as Codes<Values>;
}

/** What the server calls too short or not valid, as the person sees it: nothing was entered, or no e-mail address. */
function plainCode(name: string, value: unknown, code: string): string {
  if (code !== 'TOO_SHORT' && code !== 'INVALID') return code;
  if (typeof value === 'string' && value.trim() === '') return 'REQUIRED';
  return code === 'INVALID' && /email$/i.test(name) ? 'INVALID_EMAIL' : code;
}

function isAbout({ fields }: CallFailed, values: object): boolean {
  const names = Object.keys(fields).map(name => fieldOf(name, values));
  return names.length > 0 && names.every(name => name in values);
}

/** Once it is marked, which is when the codes are drawn: sooner it would not be found. A field that is not on screen shows nothing. */
function useFocusInvalid(codes: object) {
  const focus = useRef<() => void>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are new with every refusal
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

/** What is typed into: an editor keeps that in a shadow root. */
function controlOf(field: HTMLElement): HTMLElement {
  const host = [...field.querySelectorAll('*')].find(one => one.shadowRoot);
  return host?.shadowRoot?.querySelector<HTMLElement>('[tabindex="0"]') ?? field;
}
