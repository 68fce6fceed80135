import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import css from './MailFrame.module.css';

/** Typical widths of an e-mail client on a desktop and on a phone. */
const widths = { desktop: 680, phone: 375 } as const;

interface MailFrameProps {
  html: string;
  width: keyof typeof widths;
}

/**
 * An e-mail as it would arrive, at desktop or phone width, scaled down if there is less room. It is shown in a page of
 * the server: a page made here would inherit the console's content security policy, under which an e-mail has no
 * styles.
 */
export function MailFrame({ html, width }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(false);
  const room = useWidth(stage);
  const scale = Math.min(1, room / widths[width]);

  useEffect(() => {
    // The frame has an opaque origin, which cannot be named as the target; it is sent only what it is to show.
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
