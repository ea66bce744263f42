import type { ViewProps } from '../view.ts'

/** What a question shows: what the room has stored, else what was entered. */
export const answerOf = ({ recorded, draft }: ViewProps): unknown => recorded ?? draft

export const isFixed = ({ recorded, isLocked }: ViewProps): boolean => isLocked || recorded !== undefined

export const numberIn = (answer: unknown): number | undefined =>
  typeof answer === 'number' ? answer : undefined

export const listIn = (answer: unknown): readonly unknown[] =>
  Array.isArray(answer) ? answer : answer === undefined ? [] : [answer]

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordIn = (answer: unknown): Readonly<Record<string, unknown>> =>
  isRecord(answer) ? answer : {}

/** A line break or a tab comes in with what is pasted; a line of text may hold neither. */
export const asOneLine = (typed: string): string => typed.replace(/\p{Cc}+/gu, ' ')

/** As the contract counts: an emoji is one character. */
export const lengthOf = (text: string): number => [...text].length
