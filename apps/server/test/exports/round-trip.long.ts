import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { baseR, csvParse, pandas } from './round-trip/csv-readers.ts'
import { describeRoundTrips } from './round-trip/round-trip.ts'

const folder = fileURLToPath(new URL('../../../../examples', import.meta.url))
const examples = globSync('**/*.json', { cwd: folder }).map((path) => path.replace(/\.json$/, ''))

describeRoundTrips(examples.toSorted(), [csvParse, pandas, baseR], 12)
