import { expect, test } from 'vitest'
import { aCall, aRoomWithAgents } from '../../../../test/stores/agent-samples.ts'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { openExperiment } from '../../../../test/stores/samples.ts'

describeOnBothEngines('what agents have spent', (engine) => {
  test('[AT6] tokens are estimated from bytes where a model server does not count them', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { roomId } = await aRoomWithAgents(database, experimentId)
    const call = (more: Parameters<typeof aCall>[2]) => aCall(experimentId, roomId, more)
    const request = JSON.stringify('ü'.repeat(199)) // 400 bytes
    const uncounted = { credentialId: 'cred_1', usage: null, request, reply: null, money: 0 }
    await database.agentRunner.record([
      call({ credentialId: 'cred_1' }),
      call(uncounted),
      call({ ...uncounted, usage: { promptTokens: 0, completionTokens: 0 }, reply: '"12"' }),
      call({ ...uncounted, credentialId: null, latencyMs: null }),
    ])
    expect(await database.agentRunner.spent(experimentId)).toEqual({
      calls: 3,
      tokens: 110 + 100 + 101,
      money: 0.5,
    })
  })
})
