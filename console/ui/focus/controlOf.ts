/** The focusable element of a field: an editor has it in a shadow root. */
export function controlOf(field: HTMLElement): HTMLElement {
  const host = [...field.querySelectorAll('*')].find(one => one.shadowRoot);
  return host?.shadowRoot?.querySelector<HTMLElement>('[tabindex="0"]') ?? field;
}

/** The first control among fields in which something can be entered; undefined while an editor is loading. */
export function firstControlIn(fields: HTMLElement | null): HTMLElement | undefined {
  const first = fields?.querySelector<HTMLElement>('input, select, textarea, [data-editor]');
  if (!first) return undefined;
  const control = controlOf(first);
  return control.matches('[data-editor]') ? undefined : control;
}
