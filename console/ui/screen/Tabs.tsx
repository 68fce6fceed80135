import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import css from './Tabs.module.css';

interface TabsProps {
  label: string;
  tabs: readonly (LinkProps & { label: string })[];
}

/** Tabs are links: they can be opened in a new window, and Back works. */
export function Tabs({ label, tabs }: TabsProps) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone, the current tab may be beyond the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element changes with the address
  useEffect(() => {
    const chosen = nav.current?.querySelector('[aria-current="page"]');
    if (!chosen) return;
    // An observer reports the position; reading it would force a layout of the whole screen at once.
    const observer = new IntersectionObserver(
      ([entry]) => {
        observer.disconnect();
        const hidden = entry ? entry.boundingClientRect.right - (entry.rootBounds?.right ?? 0) : 0;
        if (hidden > 0 && nav.current) nav.current.scrollLeft += hidden;
      },
      { root: nav.current },
    );
    observer.observe(chosen);
    return () => observer.disconnect();
  }, [pathname]);
  return (
    <nav ref={nav} aria-label={label} className={css.tabs}>
      {tabs.map(({ label: text, ...link }) => (
        <Link key={text} {...link} className={css.tab} activeOptions={{ exact: true, includeSearch: false }}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
