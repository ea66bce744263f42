// Colours as `#rrggbb`, and their contrast as WCAG 2.2 defines it.

type Rgb = [red: number, green: number, blue: number]

const channelsOf = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const hexOf = (channels: Rgb): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function luminanceOf(hex: string): number {
  const [red, green, blue] = channelsOf(hex)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** From 1, the same colour, to 21, black on white. */
export function contrastOf(one: string, other: string): number {
  const [first, second] = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

/** `share` of the other colour: 0 leaves the first as it is, 1 gives the other. */
export function mixColours(one: string, other: string, share: number): string {
  const [from, to] = [channelsOf(one), channelsOf(other)]
  const mix = (at: 0 | 1 | 2) => from[at] + (to[at] - from[at]) * share
  return hexOf([mix(0), mix(1), mix(2)])
}
