import css from './Tile.module.css';

interface TileProps {
  /** The first letter is shown. */
  name: string;
  /** Decides the colour, so that it stays the same. */
  id: string;
  size?: 'small' | 'large';
}

const colours = 8;

/** A mark to recognize a project at a glance. */
export function Tile({ name, id, size = 'small' }: TileProps) {
  const [letter = ''] = name.trim();
  return (
    <span className={css.tile} aria-hidden="true" data-size={size} data-colour={colourOf(id)}>
      {letter.toUpperCase()}
    </span>
  );
}

/** One of eight colours, always the same for the same id. */
export function colourOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return sum % colours;
}
