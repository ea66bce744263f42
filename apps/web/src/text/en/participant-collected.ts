import type { ParadataKind } from '@atrium/contract'

/** R93: on the consent page of studies that measure something. */
export const collected = {
  intro: 'Besides your answers, this study records:',
  kinds: {
    focus: 'when and for how long you leave this page',
    paste: 'how often you paste text, and how many characters',
    typing: 'the rhythm of your typing, but not which keys you press',
    device:
      'what kind of device, browser and system you use, with touch or a mouse; the size of the window and the resolution of the screen; your language and time zone',
    network: 'how fast your connection responds',
  } satisfies Record<ParadataKind, string>,
}
