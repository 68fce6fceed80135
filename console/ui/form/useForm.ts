import { type SubmitEvent, useRef, useState } from 'react';
import { changedNames } from '#console/ui/code/differences.ts';
import { CallFailed } from '#contract/client.ts';

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
  // The start stays what it was when the form opened, so that a refetch meanwhile cannot move the ground.
  const [start, setStart] = useState(initial);
  const [values, setValues] = useState(initial);
  const [codes, setCodes] = useState<Codes<Values>>({});
  const [failure, setFailure] = useState<CallFailed | undefined>(undefined);
  /** Whether its sentence stands beside the fields it is about, and need not stand on top as well. */
  const [isAtFields, setAtFields] = useState(false);
  const [saving, setSaving] = useState(false);
  const sending = useRef(false);

  const names = changedNames(start, values);
  const changed = Object.fromEntries(names.map(name => [name, values[name]])) as Partial<Values>;

  function set<Name extends keyof Values & string>(name: Name, value: Values[Name]): void {
    setValues(now => ({ ...now, [name]: value }));
    setCodes(({ [name]: _, ...others }) => others as Codes<Values>);
  }

  async function send(form?: HTMLFormElement, work = submit): Promise<void> {
    if (sending.current) return;
    const found = check?.(values) ?? {};
    setCodes(found);
    setFailure(undefined);
    if (Object.values(found).some(Boolean)) return focusInvalid(form);
    sending.current = true;
    setSaving(true);
    try {
      await work(values, changed);
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setCodes(failure.fields as Codes<Values>);
      setFailure(failure);
      setAtFields(failure.retryAfterS === undefined && isAbout(failure, values));
      focusInvalid(form, () => setAtFields(false));
    } finally {
      sending.current = false;
      setSaving(false);
    }
  }

  return {
    values,
    changed,
    /** What is to stand on top of the form. */
    error: isAtFields ? undefined : failure,
    failure,
    saving,
    dirty: names.length > 0,
    set,
    send,
    /** Fails the form from outside, where the reason is found on this side. */
    fail(failure: CallFailed | undefined): void {
      setFailure(failure);
      setAtFields(false);
    },
    /** A new start; `typed` where the values differ from it at once. */
    reset(next: Values = start, typed: Values = next): void {
      setStart(next);
      setValues(typed);
      setCodes({});
      setFailure(undefined);
    },
    /** For the form element. */
    onSubmit(event: SubmitEvent<HTMLFormElement>): void {
      event.preventDefault();
      // A dialog's form inside another form must not send both.
      event.stopPropagation();
      void send(event.currentTarget);
    },
    /** For one field: `<TextField label="Name" {...form.field('name')} />`. */
    field<Name extends keyof Values & string>(name: Name) {
      return {
        name,
        value: values[name],
        onChange: (value: Values[Name]) => set(name, value),
        error: codes[name],
      };
    },
  };
}

function isAbout({ fields }: CallFailed, values: object): boolean {
  const names = Object.keys(fields);
  return names.length > 0 && names.every(name => name in values);
}

/** After React has marked it. A field that is not on screen shows nothing. */
function focusInvalid(form: HTMLFormElement | undefined, ifNone?: () => void): void {
  setTimeout(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else ifNone?.();
  });
}
