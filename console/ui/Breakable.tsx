import { Fragment } from 'react';

/** An address that wraps after a separator if possible, instead of within a word. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[/@?&=])(?!\/)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
