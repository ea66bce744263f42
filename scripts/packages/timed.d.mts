/** Does one step of a set-up, with one line on standard error that says what and how long. */
export function timed(doing: string, work: () => Promise<void>): Promise<void>

/** The same beside other things that write: the line appears as a whole, in the end. */
export function timedInBackground(doing: string, work: () => Promise<void>): Promise<void>
