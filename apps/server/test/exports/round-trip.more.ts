import { csvParse } from './round-trip/csv-readers.ts'
import { describeRoundTrips } from './round-trip/round-trip.ts'

// The others, with R and pandas, are in round-trip.long.ts.
describeRoundTrips(['quick-survey', 'public-goods-with-agents'], [csvParse], 2)
