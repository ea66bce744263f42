/** Evaluates what is left of conditions; loaded by pages that have some. */
export { answersRead, createShown } from '@atrium/expressions'
export { shownPart, withHiddenPart } from './shown-part.ts'
