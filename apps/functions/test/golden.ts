import { readFileSync } from 'node:fs'

/**
 * A file of `golden/`. The events have the form that AWS documents. The jobs are what our code makes, kept here so that
 * every change to them is seen in a review; no AWS has run them.
 */
export const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`./golden/${name}.json`, import.meta.url), 'utf8'))
