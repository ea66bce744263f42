import { readFileSync } from 'node:fs'

/** A file of `golden/`: what AWS sends or takes, written down by hand from its documentation. */
export const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`./golden/${name}.json`, import.meta.url), 'utf8'))
