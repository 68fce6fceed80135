import { Link, type LinkProps } from '@tanstack/react-router';
import css from './Tabs.module.css';

interface TabsProps {
  label: string;
  tabs: readonly (LinkProps & { label: string })[];
}

/** A tab is a link: it opens in a new window, and Back works. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav aria-label={label} className={css.tabs}>
      {tabs.map(({ label: text, ...link }) => (
        <Link key={text} {...link} className={css.tab} activeOptions={{ exact: true, includeSearch: false }}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
