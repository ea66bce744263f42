/** What the questions say that mostly stand in surveys. Amounts are written as the participant has to type them. */
export const survey = {
  constantSum: {
    hint: (total: string) => `Whole numbers that add up to ${total}.`,
    left: (amount: string) => `${amount} left`,
    over: (amount: string) => `${amount} too many`,
    complete: '✓ Everything is distributed.',
    given: (amount: string, of: string) => `${amount} of ${of}`,
    howToFix: (sum: number, total: string) => `Your numbers add up to ${sum}. They must add up to ${total}.`,
    noNumber: 'Please enter whole numbers only.',
    each: (min: number, max: number) => `Please give each at least ${min} and at most ${max}.`,
  },
}
