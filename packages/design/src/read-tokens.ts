export interface ColourToken {
  light: string
  dark: string
}

/** The colours of tokens.css by name, for what cannot read custom properties: Mantine’s theme, and tests. */
export function readColours(css: string): ReadonlyMap<string, ColourToken> {
  const declared = css.matchAll(/--([\w-]+):\s*light-dark\((#[\da-f]{6}),\s*(#[\da-f]{6})\)/g)
  return new Map([...declared].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]))
}
