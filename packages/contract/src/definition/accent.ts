import { contrastOf, mixColours } from './colours.ts'

/** The grounds that the accent stands on, lightest and darkest scheme; a test keeps them equal to the design tokens. */
export const accentGrounds = {
  light: { grounds: ['#fffdf9', '#f5f2ec'], towards: '#000000' },
  dark: { grounds: ['#211e1a', '#171512'], towards: '#ffffff' },
} as const

/** AAA: what participants read has at least this contrast. */
const minContrast = 7
const steps = 20

export interface AccentColours {
  accent: string
  /** Text on the accent. */
  onAccent: string
  /** Ground of what is chosen. */
  wash: string
}

/** The colours that a study’s accent becomes in one scheme: as given where it can be read, moved towards ink where not. */
export function accentIn(scheme: keyof typeof accentGrounds, chosen: string): AccentColours {
  const { grounds, towards } = accentGrounds[scheme]
  const shades = Array.from({ length: steps + 1 }, (_, step) => mixColours(chosen, towards, step / steps))
  const isReadable = (shade: string) => grounds.every((ground) => contrastOf(shade, ground) >= minContrast)
  const accent = shades.find(isReadable) ?? towards
  return {
    accent,
    onAccent: contrastOf(accent, '#ffffff') >= contrastOf(accent, '#10141c') ? '#ffffff' : '#10141c',
    wash: mixColours(grounds[0], accent, scheme === 'light' ? 0.09 : 0.16),
  }
}
