import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button, IconButton } from '#console/ui/Button.tsx';
import { keepFocus } from '#console/ui/focus/keepFocus.ts';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import css from './Dialog.module.css';

interface AskWords {
  title: string;
  stay: string;
  go: string;
}

interface DialogProps {
  title: string;
  children: ReactNode;
  onClose: () => void;
  /** True: there are unsaved changes; Esc and a click outside ask before they are lost. */
  dirty?: boolean;
  /** The words of that question, if it is not about changes. */
  ask?: AskWords | undefined;
  shape?: 'box' | 'wide' | 'full' | 'drawer' | 'broadDrawer' | 'wideDrawer' | 'rail' | 'palette';
  /** The title is read out by screen readers, but not shown. */
  bare?: boolean;
}

/**
 * The browser's own modal dialog: it traps the focus, makes the rest inert and restores the focus. It is open while it
 * is rendered.
 */
export function Dialog({
  title,
  children,
  onClose,
  dirty = false,
  ask,
  shape = 'box',
  bare = false,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [asking, setAsking] = useState(false);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    firstControl(element)?.focus();
    return () => {
      element?.close();
      keepFocus(element);
    };
  }, []);

  function requestClose() {
    if (dirty) setAsking(true);
    else onClose();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // Browsers do not let a page prevent two Esc presses in a row, so Esc is handled here.
    event.preventDefault();
    event.stopPropagation();
    requestClose();
  }

  function onMouseDown(event: MouseEvent) {
    if (event.target === dialog.current) requestClose();
  }

  return (
    <dialog
      ref={dialog}
      className={[css.dialog, css[shape]].join(' ')}
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      onMouseDown={onMouseDown}
      onCancel={event => {
        event.preventDefault();
        if (event.target === dialog.current) requestClose();
      }}
    >
      <div className={css.inside}>
        <DialogHead id={titleId} title={title} bare={bare} onClose={requestClose} />
        {children}
      </div>
      {asking && <ConfirmDiscard words={ask} onKeep={() => setAsking(false)} onDiscard={onClose} />}
    </dialog>
  );
}

interface DialogHeadProps {
  id: string;
  title: string;
  bare: boolean;
  onClose: () => void;
}

function DialogHead({ id, title, bare, onClose }: DialogHeadProps) {
  return (
    <header className={bare ? 'visuallyHidden' : css.head}>
      <h2 id={id}>{title}</h2>
      {!bare && (
        <IconButton label="Close" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      )}
    </header>
  );
}

interface ConfirmDiscardProps {
  words: AskWords | undefined;
  onKeep: () => void;
  onDiscard: () => void;
}

/** The question before typed values are lost. */
export const discardWords: AskWords = { title: 'Discard your changes?', stay: 'Keep editing', go: 'Discard' };

function ConfirmDiscard({ words = discardWords, onKeep, onDiscard }: ConfirmDiscardProps) {
  return (
    <Dialog title={words.title} onClose={onKeep}>
      <DialogFooter>
        <Button onClick={onKeep}>{words.stay}</Button>
        <Button variant="danger" onClick={onDiscard}>
          {words.go}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className={css.body}>{children}</div>;
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return <footer className={css.footer}>{children}</footer>;
}

/** The first field; if there is none, the first button at the bottom, which is the one that changes nothing. */
function firstControl(element: HTMLElement | null): HTMLElement | null | undefined {
  const fields = 'input:not([type="hidden"]), select, textarea';
  const wanted = ['[data-first-focus]', fields, 'footer button', 'a[href], button'];
  return wanted.map(one => element?.querySelector<HTMLElement>(one)).find(Boolean);
}
