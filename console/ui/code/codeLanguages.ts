import type { Language } from '#console/ui/editor/language.ts';

/** Loads a language once; returns the same promise every time, as React's `use` requires. */
export type CodeLanguage = () => Promise<Language>;

let json: Promise<Language> | undefined;
let htmlLiquid: Promise<Language> | undefined;
let cel: Promise<Language> | undefined;

// Functions instead of a table of names, so that a build that does not use a language does not include it.
export const jsonLanguage: CodeLanguage = () => {
  json ??= import('#console/ui/editor/json.ts').then(it => it.json);
  return json;
};

/** Includes the grammars of HTML and CSS, half of an editor's total size. */
export const htmlLiquidLanguage: CodeLanguage = () => {
  htmlLiquid ??= import('#console/ui/editor/htmlLiquid.ts').then(it => it.htmlLiquid);
  return htmlLiquid;
};

export const celLanguage: CodeLanguage = () => {
  cel ??= import('#console/ui/editor/cel.ts').then(it => it.cel);
  return cel;
};
