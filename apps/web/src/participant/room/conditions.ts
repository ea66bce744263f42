/** Evaluates what is left of conditions; loaded by pages that have some. */
export { answersRead, createShown } from '@atrium/expressions'
