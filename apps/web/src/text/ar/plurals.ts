import { createPlurals } from '../plurals.ts'

/** Arabic has a form for each of these; the type checker asks for all of them. */
export const arabicPlurals = createPlurals<'zero' | 'one' | 'two' | 'few' | 'many'>('ar')

/** Arabic has no capital letters, so this begins a line and stands within a sentence. */
export const aboutMinutes = (count: number): string =>
  arabicPlurals.pick(count, {
    zero: 'أقل من دقيقة',
    one: 'نحو دقيقة واحدة',
    two: 'نحو دقيقتين',
    few: `نحو ${count} دقائق`,
    many: `نحو ${count} دقيقة`,
    other: `نحو ${count} دقيقة`,
  })
