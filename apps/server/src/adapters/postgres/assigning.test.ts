import { createMigratedDatabase } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openPatiently } from '../../../test/stores/engines.ts'
import { joined, openExperiment } from '../../../test/stores/samples.ts'
import { recordStatements } from './test/recording.ts'

test('[RM150,F41] a room is assigned in as many statements with 400 Latin squares as with 2', async () => {
  const url = await createMigratedDatabase()
  const database = await openPatiently(url)
  const { stores, transactions, close } = recordStatements(url)
  onTestFinished(async () => void (await Promise.all([close(), database.close()])))
  const statementsWith = async (squares: number) => {
    const blocks = Array.from({ length: squares }, (_, index) => ({
      id: `b${index}`,
      states: [`s${index}`, `t${index}`],
      order: 'latin_square' as const,
    }))
    const states = blocks.flatMap((block) => block.states.map((id) => ({ id, components: [] })))
    const conditions = { values: ['x', 'y'] }
    const experimentId = await openExperiment(database, { conditions, states, blocks })
    const claims = []
    for (let people = 0; people < 2; people++) {
      const { roomId } = await joined(database, experimentId)
      const room = await stores.rooms.claim(roomId ?? '', 'pod-0', 'seed')
      expect(Object.keys(room?.assignment?.rows[0] ?? {})).toHaveLength(squares)
      claims.push(transactions.at(-1)?.length)
    }
    return claims
  }
  expect(await statementsWith(400)).toEqual(await statementsWith(2))
})
