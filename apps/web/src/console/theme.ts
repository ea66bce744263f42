import { createTheme, Tooltip } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'indigo',
  // Dark enough for small text on white, and for white text on it (4.5:1).
  primaryShade: 8,
  defaultRadius: 'md',
  // System fonts: nothing is loaded from elsewhere.
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '650' },
  respectReducedMotion: true,
  autoContrast: true,
  // Black and white text are equally readable here; beyond it each colour gets the better one.
  luminanceThreshold: 0.18,
  components: {
    Tooltip: Tooltip.extend({ defaultProps: { events: { hover: true, focus: true, touch: true } } }),
  },
})
