import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colours are the console's own, so they follow its theme automatically. */
export const codeColours = HighlightStyle.define([
  { tag: [tags.tagName, tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.attributeName, tags.typeName, tags.className], color: 'var(--text)' },
  { tag: [tags.attributeValue, tags.string, tags.special(tags.string)], color: 'var(--ok)' },
  { tag: [tags.variableName, tags.keyword, tags.brace, tags.controlKeyword], color: 'var(--warn)' },
  { tag: [tags.number, tags.bool, tags.null, tags.unit, tags.color], color: 'var(--warn)' },
  { tag: [tags.angleBracket, tags.punctuation, tags.separator, tags.documentMeta], color: 'var(--muted)' },
  { tag: [tags.comment, tags.blockComment], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--danger)' },
]);

const float = {
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius)',
  background: 'var(--surface)',
  color: 'var(--text)',
  boxShadow: 'var(--shadow-float)',
};

export const codeTheme = EditorView.theme({
  '&': { color: 'var(--text)', fontSize: 'var(--label)', background: 'transparent' },
  // On a phone, a font smaller than 16 px makes the browser zoom in.
  '@media (pointer: coarse)': { '&': { fontSize: '1rem' } },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontVariantLigatures: 'none',
    lineHeight: '20px',
    minHeight: 'calc(var(--code-min) * 20px + 12px)',
    maxHeight: 'calc(var(--code-max) * 20px + 12px)',
    scrollbarColor: 'var(--line-strong) transparent',
  },
  '.cm-content': {
    padding: '6px 0',
    // The gutter is as high as the content, which is as high as the field.
    minHeight: 'calc(var(--code-min) * 20px + 12px)',
    caretColor: 'var(--text)',
  },
  '.cm-line': { padding: '0 10px' },
  '.cm-gutters': {
    border: 'none',
    background: 'var(--sunken)',
    color: 'var(--muted)',
    fontSize: 'var(--small)',
    // In a field that is higher than its content, the gutter extends all the way down.
    alignSelf: 'stretch',
    height: 'auto',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 2px 0 10px', minWidth: '32px' },
  '.cm-foldGutter .cm-gutterElement': { padding: '0 4px', cursor: 'pointer' },
  '.cm-foldPlaceholder': {
    border: 'none',
    background: 'var(--hover)',
    color: 'var(--muted)',
    padding: '0 6px',
  },
  '&.cm-focused .cm-matchingBracket': {
    background: 'var(--accent-soft)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { background: 'var(--danger-soft)' },
  '.cm-content ::selection, .cm-content::selection': { background: 'light-dark(#cfe0fb, #25457a)' },
  '.cm-lintRange-error': {
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '3px',
    backgroundImage: 'none',
  },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--danger)' },
  '.cm-tooltip': float,
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '240px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px', color: 'var(--text)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': {
    color: 'var(--muted)',
    fontFamily: 'var(--sans)',
    fontStyle: 'normal',
    marginLeft: '12px',
  },
  '.cm-completionMatchedText': { color: 'var(--accent)', textDecoration: 'none' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--sans)', fontSize: 'var(--label)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-changedLine': { background: 'color-mix(in srgb, var(--ok) 10%, transparent)' },
  '.cm-deletedChunk': {
    background: 'color-mix(in srgb, var(--danger) 9%, transparent)',
    paddingLeft: '10px',
  },
  '.cm-deletedChunk .cm-deletedText': { background: 'color-mix(in srgb, var(--danger) 24%, transparent)' },
  '.cm-changeGutter': { width: '3px', paddingLeft: '0' },
  '.cm-changedLineGutter': { background: 'var(--ok)' },
  '.cm-deletedLineGutter': { background: 'var(--danger)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: 'none' },
  '.cm-collapsedLines': {
    padding: '4px 10px',
    background: 'var(--sunken)',
    color: 'var(--muted)',
    fontFamily: 'var(--sans)',
  },
});
