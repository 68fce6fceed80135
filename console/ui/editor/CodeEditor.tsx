import { use, useEffect, useImperativeHandle, useRef } from 'react';
import type { CodeFieldHandle, CodeFieldProps } from '#console/ui/form/CodeField.tsx';
import css from './CodeField.module.css';
import { Editor } from './Editor.ts';

type Latest = { -readonly [Name in keyof CodeFieldProps]: CodeFieldProps[Name] };

/** CodeMirror inside React: the editor is created once, and changes are passed on to it. */
export function CodeEditor(props: Omit<CodeFieldProps, 'lines'>) {
  const { value, marks, invalid, readOnly = false, ref } = props;
  const language = use(props.language());
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const latest = useRef<Latest>(props);
  latest.current = props;

  useEffect(() => {
    if (!host.current) return undefined;
    const made = new Editor(host.current, language, latest);
    editor.current = made;
    if (latest.current.autoFocus) made.focus();
    return () => {
      editor.current = undefined;
      made.destroy();
    };
  }, [language]);

  useEffect(() => editor.current?.setText(value), [value]);
  useEffect(() => editor.current?.setReadOnly(readOnly), [readOnly]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor reads it from `latest`
  useEffect(() => editor.current?.refresh(), [invalid]);
  // After the text, because the positions refer to it.
  useEffect(() => editor.current?.setMarks(marks ?? []), [marks]);
  useImperativeHandle(ref, () => handleOf(() => editor.current), []);

  return <div ref={host} className={css.host} />;
}

function handleOf(editor: () => Editor | undefined): CodeFieldHandle {
  return {
    insert: text => editor()?.insert(text),
    goTo: mark => editor()?.goTo(mark),
    format: () => editor()?.format(),
  };
}
