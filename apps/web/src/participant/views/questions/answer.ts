import type { ViewProps } from '../view.ts'

/** The answer to show: the one that the room has stored, else the draft. */
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

/** Pasted text may contain line breaks and tabs, which a single line must not. */
export const asOneLine = (typed: string): string => typed.replace(/\p{Cc}+/gu, ' ')

/** As the contract counts: an emoji is one character. */
export const lengthOf = (text: string): number => [...text].length
