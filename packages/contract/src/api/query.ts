import { Type } from 'typebox'

/** What a number in a query may be, and what it is when nobody says. */
interface QueryNumber {
  least: number
  most: number
  usual: number
}

/** Query values arrive as text: this one reads as a whole number within its bounds. */
export const WholeNumber = ({ least, most, usual }: QueryNumber, description: string) =>
  Type.Refine(
    Type.String({ description: `${description}: ${least} to ${most}; ${usual} when absent` }),
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most,
    () => `must be a whole number from ${least} to ${most}`,
  )

/** The number behind a value that `WholeNumber` let pass. */
export const wholeNumberOf = (text: string | undefined, { usual }: QueryNumber): number =>
  text === undefined ? usual : Number(text)
