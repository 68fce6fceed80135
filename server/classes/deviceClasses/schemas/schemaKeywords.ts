import { _, type Ajv2020, type KeywordCxt, Name, str } from 'ajv/dist/2020.js';
import { isMultipleOf } from '#rules/state/multipleOf.ts';
import { isPart } from './schemaTree.ts';

/** Replaces keywords that the validator does not do as the standard says, or not in linear time. */
export function replaceKeywords(ajv: Ajv2020): void {
  // The built-in check compares every item with every other.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    validate: (isAsked: boolean, items: unknown[]) =>
      !isAsked || new Set(items.map(canonical)).size === items.length,
  });
  // The built-in check divides doubles: to it, 0.3 is no multiple of 0.1.
  ajv.removeKeyword('multipleOf').addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    errors: false,
    error: { message: 'must be a multiple', params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
    validate: (step: number, value: number) => isMultipleOf(value, step),
  });
  ajv.removeKeyword('if').addKeyword({
    keyword: 'if',
    schemaType: ['object', 'boolean'],
    trackErrors: true,
    error: {
      message: ({ params }) => str`must match "${params.clause}" schema`,
      params: ({ params }) => _`{failingKeyword: ${params.clause}}`,
    },
    code: conditionCode,
  });
  for (const keyword of ['anyOf', 'oneOf', 'dependentSchemas', 'dependencies']) {
    const builtIn = ajv.getKeyword(keyword);
    if (typeof builtIn !== 'object' || !('code' in builtIn)) throw new Error(`There is no ${keyword}.`);
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      schemaType: builtIn.schemaType,
      trackErrors: builtIn.trackErrors ?? false,
      ...(builtIn.type.length > 0 && { type: builtIn.type, before: 'unevaluatedProperties' }),
      ...(builtIn.error && { error: builtIn.error }),
      code: cxt => {
        beginEvaluated(cxt);
        builtIn.code(cxt);
      },
    });
  }
}

/**
 * What `if` looks at counts as evaluated if it holds, and only then. To the built-in keyword it always does, or never
 * if there is neither `then` nor `else`.
 */
function conditionCode(cxt: KeywordCxt): void {
  const { gen } = cxt;
  beginEvaluated(cxt);
  const valid = gen.let('valid', true);
  const applied = gen.name('applied');
  const clause = gen.let('clause', _`"then"`);
  cxt.setParams({ clause });
  const quiet = { compositeRule: true, createErrors: false, allErrors: false } as const;
  cxt.mergeValidEvaluated(cxt.subschema({ keyword: 'if', ...quiet }, applied), applied);
  cxt.reset();
  const apply = (keyword: 'then' | 'else') => () => {
    if (cxt.parentSchema[keyword] === undefined) return;
    const result = cxt.subschema({ keyword }, applied);
    gen.assign(valid, applied).assign(clause, _`${keyword}`);
    cxt.mergeValidEvaluated(result, valid);
  };
  gen.if(applied, apply('then'), apply('else'));
  cxt.pass(valid, () => cxt.error(true));
}

/**
 * Collects what is evaluated in a variable from here on. The built-in keywords only begin one inside their first branch,
 * so that whatever was known before is lost if another branch applies.
 */
function beginEvaluated({ gen, it }: KeywordCxt): void {
  if (!it.opts.unevaluated) return;
  if (it.props !== true && !(it.props instanceof Name)) {
    const props = gen.var('props', _`Object.create(null)`);
    for (const name of Object.keys(it.props ?? {})) gen.assign(_`${props}[${name}]`, true);
    it.props = props;
  }
  if (it.items !== true && !(it.items instanceof Name)) it.items = gen.var('items', it.items ?? 0);
}

/** Serializes a value independently of the order of members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isPart(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
