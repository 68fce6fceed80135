import type { Attribute } from './htmlTokens.ts';

/**
 * The elements that mail programs show. They drop all others, or those do not belong in an e-mail: scripts, frames,
 * forms, elements that load or embed. An allowlist, because no list of forbidden elements would be complete.
 */
const elements = new Set(
  `html head title meta style body center div section article header footer main nav aside p h1 h2 h3 h4 h5 h6
  hr br wbr pre blockquote address ul ol li dl dt dd figure figcaption table caption colgroup col thead tbody tfoot
  tr th td a img span font b strong i em u s strike del ins small big sub sup mark code kbd samp var q cite abbr time
  bdi bdo`.split(/\s+/),
);

/** Elements without a closing tag. Includes forbidden ones, so that they are not also reported as unclosed. */
export const voidElements = new Set(
  'meta hr br wbr col img base link input embed source track area param'.split(' '),
);

export function isMailElement(name: string): boolean {
  return elements.has(name);
}

/** Attributes that run, send or load something invisible. `on…` attributes are rejected by their prefix. */
const refused = new Set(['srcdoc', 'srcset', 'action', 'formaction', 'ping', 'http-equiv', 'xlink:href']);

export function isMailAttribute({ name }: Attribute): boolean {
  return !name.startsWith('on') && !refused.has(name);
}

const addresses: Record<string, RegExp> = {
  // The host must be literal: if it were a variable, an end user's name could make the link lead anywhere.
  href: /^(https?:\/\/[^\s\ufffc/?#]+([/?#]|$)|mailto:|tel:|sms:|#)/i,
  src: /^(https?:\/\/[^\s\ufffc/?#]+\/|cid:|data:image\/(png|gif|jpeg|webp);)/i,
};
const elsewhere = /^https?:\/\/[^\s\ufffc/?#]+([/?#]|$)/i;
const addressNames = new Set(['href', 'src', 'background', 'cite', 'longdesc', 'usemap', 'poster', 'lowsrc']);

export function isAddress({ name }: Attribute): boolean {
  return addressNames.has(name);
}

/** Whether an address has an allowed scheme and a literal host, judged by its beginning. */
export function isMailAddress({ name, value }: Attribute): boolean {
  return (addresses[name] ?? elsewhere).test(value.trimStart());
}
