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

  hotSpot: {
    hint: (min: number, max: number) =>
      max === 1
        ? 'Mark one place on the picture.'
        : `Mark ${min === max ? min : `${min} to ${max}`} places on the picture.`,
    picture: (alt: string, marks: number) =>
      `Picture to mark${alt === '' ? '' : `: ${alt}`}. Marks set: ${marks}.`,
    keys: 'With a keyboard, move the crosshair with the arrow keys (with Shift in larger steps), mark a place with Enter, and remove the last mark with Delete.',
    place: (x: number, y: number) => `${x} % from the left, ${y} % from the top`,
    count: (marks: number) =>
      marks === 0
        ? 'No place is marked yet.'
        : marks === 1
          ? '1 place is marked.'
          : `${marks} places are marked.`,
    set: (mark: number) => `Mark ${mark} set`,
    moved: (mark: number) => `Mark ${mark} moved`,
    removed: (mark: number) => `Mark ${mark} removed`,
    full: (max: number) => `All ${max} marks are set. Remove one to mark another place.`,
    remove: (mark: number) => `Remove mark ${mark}`,
    otherWays: 'Mark without pointing',
    up: 'Move the crosshair up',
    down: 'Move the crosshair down',
    left: 'Move the crosshair left',
    right: 'Move the crosshair right',
    mark: 'Mark',
    howToFix: (marks: number, min: number) =>
      `Please mark at least ${min} places on the picture. Marked so far: ${marks}.`,
  },
}
