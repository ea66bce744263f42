// Part of `npm run check`: compares the licences of all packages in the lockfile with those that are allowed.
import { readFileSync } from 'node:fs'
import { licenceProblems } from './packages/allowed-licences.ts'

const lockfile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const problems = licenceProblems(lockfile.packages)
for (const problem of problems) console.error(problem)
if (problems.length > 0) {
  console.error(
    'See scripts/packages/allowed-licences.ts: use another package, or add it there with the reason.',
  )
  process.exitCode = 1
}
