import type { Attribute } from './htmlTokens.ts';

/**
 * What mail programs show. Everything else they drop, or it has no place in a mail: scripts, frames, forms, what loads
 * or embeds. Refused by name of what is allowed, for nobody can list what is not.
 */
const elements = new Set(
  `html head title meta style body center div section article header footer main nav aside p h1 h2 h3 h4 h5 h6
  hr br wbr pre blockquote address ul ol li dl dt dd figure figcaption table caption colgroup col thead tbody tfoot
  tr th td a img span font b strong i em u s strike del ins small big sub sup mark code kbd samp var q cite abbr time
  bdi bdo`.split(/\s+/),
);

/** They have no closing tag; those a mail cannot have among them, lest they be called unclosed as well. */
export const voidElements = new Set(
  'meta hr br wbr col img base link input embed source track area param'.split(' '),
);

export function isMailElement(name: string): boolean {
  return elements.has(name);
}

/** Attributes that run, send or load something besides what is seen. `on…` are refused by their beginning. */
const refused = new Set(['srcdoc', 'srcset', 'action', 'formaction', 'ping', 'http-equiv', 'xlink:href']);

export function isMailAttribute({ name }: Attribute): boolean {
  return !name.startsWith('on') && !refused.has(name);
}

const addresses: Record<string, RegExp> = {
  // The host is written out: were it a variable, an end user's name could lead the reader anywhere.
  href: /^(https?:\/\/[^\s\ufffc/?#]+([/?#]|$)|mailto:|tel:|sms:|#)/i,
  src: /^(https?:\/\/[^\s\ufffc/?#]+\/|cid:|data:image\/(png|gif|jpeg|webp);)/i,
};
const elsewhere = /^https?:\/\/[^\s\ufffc/?#]+([/?#]|$)/i;
const addressNames = new Set(['href', 'src', 'background', 'cite', 'longdesc', 'usemap', 'poster', 'lowsrc']);

export function isAddress({ name }: Attribute): boolean {
  return addressNames.has(name);
}

/** Whether an address leads where it says: judged by its written beginning. */
export function isMailAddress({ name, value }: Attribute): boolean {
  return (addresses[name] ?? elsewhere).test(value.trimStart());
}
