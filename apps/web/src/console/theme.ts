import { mixColours } from '@atrium/contract'
import { type ColourToken, readColours } from '@atrium/design'
import tokens from '@atrium/design/tokens.css?raw'
import { Badge, createTheme, type MantineColorsTuple, Tooltip } from '@mantine/core'

const colours = readColours(tokens)

/** Mantine computes with colours, so it needs their values; custom properties would not do. */
function colourOf(name: string): ColourToken {
  const token = colours.get(name)
  if (!token) throw new Error(`tokens.css has no colour ${name}`)
  return token
}

/** Ten shades around the accent, as Mantine wants them: the accent of light pages is the eighth, that of dark ones the third. */
function shadesOf({ light, dark }: ColourToken): MantineColorsTuple {
  const from = (share: number) => mixColours('#ffffff', dark, share)
  const between = (share: number) => mixColours(dark, light, share)
  const beyond = (share: number) => mixColours(light, '#000000', share)
  return [
    from(0.22),
    from(0.45),
    from(0.72),
    dark,
    between(0.22),
    between(0.45),
    between(0.7),
    between(0.88),
    light,
    beyond(0.25),
  ]
}

/** Warm greys from the ground to the ink, in place of Mantine’s cold ones. */
const greysOfLight = ({ light: paper }: ColourToken, { light: ink }: ColourToken): MantineColorsTuple => {
  const at = (share: number) => mixColours(paper, ink, share)
  return [at(0), at(0.03), at(0.08), at(0.14), at(0.24), at(0.4), at(0.55), at(0.68), at(0.8), at(0.92)]
}

/** From text (0) over lines (4) and fields (6) to the ground (7) and what lies below it. */
const greysOfDark = ({ dark: paper }: ColourToken, { dark: ink }: ColourToken): MantineColorsTuple => {
  const at = (share: number) => mixColours(ink, paper, share)
  return [
    at(0),
    at(0.1),
    at(0.22),
    at(0.4),
    at(0.8),
    at(0.86),
    at(0.92),
    at(0.96),
    at(1),
    mixColours(paper, '#000000', 0.4),
  ]
}

export const theme = createTheme({
  colors: {
    accent: shadesOf(colourOf('accent')),
    gray: greysOfLight(colourOf('paper'), colourOf('ink')),
    dark: greysOfDark(colourOf('paper'), colourOf('ink')),
  },
  primaryColor: 'accent',
  // Dark enough for small text on white, and for white text on it (4.5:1).
  primaryShade: { light: 8, dark: 8 },
  radius: { md: 'var(--radius)' },
  defaultRadius: 'md',
  fontFamily: 'var(--typeface)',
  headings: { fontWeight: '650' },
  respectReducedMotion: true,
  autoContrast: true,
  // Black and white text are equally readable here; beyond it each colour gets the better one.
  luminanceThreshold: 0.18,
  components: {
    // A word that is cut (“runni…”) says nothing; the name beside it can break instead.
    Badge: Badge.extend({ styles: { root: { flexShrink: 0, maxWidth: '100%' } } }),
    Tooltip: Tooltip.extend({ defaultProps: { events: { hover: true, focus: true, touch: true } } }),
  },
})
