import { goldenGames } from './golden-games.ts'
import { goldenName, goldenTakes, playGolden } from './golden-play.ts'
import { goldenNames, writeGolden } from './golden-room.ts'

/**
 * Adds missing recordings: `node apps/server/src/modules/rooms/test/record-golden.ts`. Existing ones are never
 * overwritten: they show what rooms did under the version that recorded them.
 */
const recorded = new Set(goldenNames())
for (const game of goldenGames())
  for (const take of Object.keys(goldenTakes) as (keyof typeof goldenTakes)[])
    if (!recorded.has(goldenName(game, take))) writeGolden(playGolden(game, take))
