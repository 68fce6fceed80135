import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import css from './MailFrame.module.css';

/** What a mail program's window is wide on a desk and in a hand. */
const widths = { desktop: 680, phone: 375 } as const;

interface MailFrameProps {
  html: string;
  width: keyof typeof widths;
}

/**
 * A mail as it would arrive, at the width of a desk or a phone, made smaller where there is less room. A page of the
 * server's shows it: one made here would keep the console's policy, under which a mail has no styles.
 */
export function MailFrame({ html, width }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const room = useWidth(stage);
  const scale = Math.min(1, room / widths[width]);

  useEffect(() => {
    // Its origin is none, so there is none to name; it is handed nothing but what it is to show.
    if (ready) frame.current?.contentWindow?.postMessage({ html }, '*');
  }, [ready, html]);

  return (
    <div ref={stage} className={css.stage}>
      <iframe
        ref={frame}
        className={css.frame}
        src="/page/mail-preview"
        title="E-mail preview"
        sandbox="allow-scripts"
        onLoad={() => setReady(true)}
        style={{
          width: widths[width],
          height: `${100 / scale}%`,
          marginInlineStart: widths[width] / -2,
          transform: `scale(${scale})`,
        }}
      />
    </div>
  );
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState<number>(widths.desktop);
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return undefined;
    const observer = new ResizeObserver(() => setWidth(watched.clientWidth));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
