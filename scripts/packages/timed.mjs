// Plain JavaScript, because `npm start` uses it before a Node that runs our TypeScript is installed.

/**
 * Does one step of a set-up, with one line on standard error: at once what is being done, and in the end how long it took.
 */
export async function timed(doing, work) {
  process.stderr.write(`atrium: ${doing} … `)
  const startedAt = performance.now()
  await work()
  process.stderr.write(`${secondsSince(startedAt)} s\n`)
}

/** The same beside other things that write: the line appears as a whole, in the end. */
export async function timedInBackground(doing, work) {
  const startedAt = performance.now()
  await work()
  process.stderr.write(`atrium: ${doing} … ${secondsSince(startedAt)} s\n`)
}

export const secondsSince = (startedAt) => ((performance.now() - startedAt) / 1_000).toFixed(1)
