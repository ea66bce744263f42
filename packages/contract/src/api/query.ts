import { Type } from 'typebox'

/** Bounds and default of a number in a query. */
interface QueryNumber {
  min: number
  max: number
  usual: number
}

/** A whole number within bounds. A string, because query values arrive as text. */
export const WholeNumber = ({ min, max, usual }: QueryNumber, description: string) =>
  Type.Refine(
    Type.String({ description: `${description}: ${min} to ${max}; ${usual} when absent` }),
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
    () => `must be a whole number from ${min} to ${max}`,
  )

/** Converts a value that `WholeNumber` has accepted. */
export const wholeNumberOf = (text: string | undefined, { usual }: QueryNumber): number =>
  text === undefined ? usual : Number(text)

/** Chooses between people's data and that of pilots, which are never mixed. */
export const Synthetic = Type.Enum(['true', 'false'], {
  description:
    '`true`: only pilots, which agents play alone; `false`, also when absent: only rooms with people',
})
