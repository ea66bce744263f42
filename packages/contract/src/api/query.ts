import { Type } from 'typebox'

/** Bounds and default of a number in a query. */
interface QueryNumber {
  least: number
  most: number
  usual: number
}

/** A whole number within bounds. A string, because query values arrive as text. */
export const WholeNumber = ({ least, most, usual }: QueryNumber, description: string) =>
  Type.Refine(
    Type.String({ description: `${description}: ${least} to ${most}; ${usual} when absent` }),
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most,
    () => `must be a whole number from ${least} to ${most}`,
  )

/** Converts a value that `WholeNumber` has accepted. */
export const wholeNumberOf = (text: string | undefined, { usual }: QueryNumber): number =>
  text === undefined ? usual : Number(text)

/** Chooses between people's data and that of pilots, which are never mixed. */
export const Synthetic = Type.Enum(['true', 'false'], {
  description:
    '`true`: only pilots, which agents play alone; `false`, also when absent: only rooms with people',
})
