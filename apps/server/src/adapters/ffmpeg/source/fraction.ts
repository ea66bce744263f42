export interface Fraction {
  over: number
  under: number
}

export const ratioOf = ({ over, under }: Fraction): number => over / under

/** `30000/1001` or `16:9`. Undefined for what is no positive number: ffprobe writes `0/0` for unknown. */
export function parseFraction(text: string | undefined): Fraction | undefined {
  const [, over, under] = /^(\d{1,10})[/:](\d{1,10})$/.exec(text ?? '') ?? []
  const fraction = { over: Number(over), under: Number(under) }
  return fraction.over > 0 && fraction.under > 0 ? fraction : undefined
}
