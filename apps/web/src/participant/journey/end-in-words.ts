const noGroup = 'There were not enough people for a group in time. Thank you for waiting.'

/** By outcome, or by why the wait ended. */
const words: Record<string, string> = {
  SUCCESS: 'You have completed the study. Thank you for taking part.',
  NO_CONSENT: 'You did not agree to take part, so nothing more will happen. Thank you for coming.',
  SCREENED_OUT: 'You cannot continue with this study. Thank you for coming.',
  screened_out: 'This study is for other people. Thank you for coming.',
  TIMEOUT: 'The time for this study ran out. What you have answered is kept. Thank you for taking part.',
  NOT_MATCHED: noGroup,
  deadline: noGroup,
  closed: 'The study was closed before your group was complete. Thank you for waiting.',
  left: 'You have stopped waiting. Thank you for coming.',
  full: 'You had left, and all places have been taken since. Thank you for coming.',
  ABANDONED: 'You have left the study. What you have answered is kept.',
  PARTNER_LEFT: 'Somebody else has left, so the study could not go on. Thank you for taking part.',
  TECHNICAL: 'The study was ended by the researchers. Thank you for taking part.',
}

/** What happened, for whoever it happened to. An experiment may have outcomes of its own, which say nothing of success. */
export const endInWords = (outcome: string): string =>
  (Object.hasOwn(words, outcome) ? words[outcome] : undefined) ??
  'Your part in this study has ended. Thank you for taking part.'
