import { createPlurals } from '../plurals.ts'

/** Arabic has a form for each of these; the type checker asks for all of them. */
export const arabicPlurals = createPlurals<'zero' | 'one' | 'two' | 'few' | 'many'>('ar')
