/** How many characters a text has, as the field that it is pasted into counts them. */
export const charactersIn = (text: string): number =>
  text.replaceAll(/\r\n|[\u{10000}-\u{10ffff}]/gu, '_').length

/** Types of inputs into which nobody writes text. */
const wordless =
  /^(button|checkbox|color|date|datetime-local|file|hidden|image|month|radio|range|reset|submit|time|week)$/

export const isTextField = (target: EventTarget | null): boolean =>
  (target instanceof HTMLInputElement && !wordless.test(target.type)) ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLElement && target.isContentEditable)

/** Whether anything can be written in a component, so that no key and no paste say something, too. */
export const hasTextField = (component: HTMLElement): boolean =>
  [...component.querySelectorAll('input, textarea, [contenteditable]')].some(isTextField)
