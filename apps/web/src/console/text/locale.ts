/** The console is written in English; numbers and dates speak the same language as the words around them. */
export const locale = 'en-GB'
