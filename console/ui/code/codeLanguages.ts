import type { Language } from '#console/ui/editor/language.ts';

/** Loads a language once; the same promise every time, as React's `use` wants it. */
export type CodeLanguage = () => Promise<Language>;

let json: Promise<Language> | undefined;
let htmlLiquid: Promise<Language> | undefined;
let cel: Promise<Language> | undefined;

// Functions and no table of names: a build in which nobody asks for a language does not carry it.
export const jsonLanguage: CodeLanguage = () => {
  json ??= import('#console/ui/editor/json.ts').then(it => it.json);
  return json;
};

/** It brings the grammars of HTML and CSS along, half of all that an editor weighs. */
export const htmlLiquidLanguage: CodeLanguage = () => {
  htmlLiquid ??= import('#console/ui/editor/htmlLiquid.ts').then(it => it.htmlLiquid);
  return htmlLiquid;
};

export const celLanguage: CodeLanguage = () => {
  cel ??= import('#console/ui/editor/cel.ts').then(it => it.cel);
  return cel;
};
