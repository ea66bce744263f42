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

  bestWorst: {
    best: 'Best',
    worst: 'Worst',
    hint: 'Choose one in each column.',
    choose: (end: string, item: string) => `${end}: ${item}`,
    howToFix: (best: string, worst: string) =>
      `Please choose two different ones, one in the column “${best}” and one in the column “${worst}”.`,
  },

  differential: {
    between: (left: string, right: string) => `From ${left} to ${right}`,
    step: (step: number, of: number, pole: string) => `${step} of ${of}${pole === '' ? '' : `, ${pole}`}`,
  },

  textRows: {
    mayStayEmpty: 'You can leave lines empty.',
    every: (lines: number) => `Please fill in ${lines === 1 ? 'the line' : `all ${lines} lines`}.`,
    tooLong: (max: number) => `Please write at most ${max} characters in a line.`,
  },
}
