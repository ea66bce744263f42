import { simulate } from '@atrium/bots'
import {
  type Agent,
  type AgentTurnRecord,
  agentTurnRoutes,
  credentialRoutes,
  type ExperimentDefinition,
  type ExportedEvent,
  experimentRoutes,
  roomRoutes,
} from '@atrium/contract'
import {
  createApi,
  createResearcher,
  createTemporaryFolder,
  linesOf,
  type Server,
  startServer,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installWithinMs } from './node-llama-folder.ts'
import { type ServeProgram, startServe } from './serve-program.ts'

/** The whole way: bots that use the SDK, the platform, `serve`, llama.cpp. Only the model is tiny. */

const home = createTemporaryFolder('in-experiment')
/** To the tiny model each byte is a token: a turn of this study takes three to five thousand. */
const contextTokens = 12_288

let serve: ServeProgram
let server: Server

beforeAll(async () => {
  serve = await startServe({ home: home.path, contextTokens, flags: ['--parallel', '2'] })
  server = await startServer()
}, installWithinMs)

afterAll(async () => {
  await server?.stop()
  serve?.child.kill('SIGKILL')
  home.remove()
})

/** The model always writes, so agents would talk to each other without end. */
const pacing = { thinkMs: 0, thinkSpreadMs: 0, charactersPerSecond: 10_000, maxReplies: 2 }

const side = { id: 'side', type: 'multiple_choice', options: ['left', 'right'] }
const sure = { id: 'sure', type: 'slider', max: 10 }

function studyWith(credentialId: string): ExperimentDefinition {
  const agent = (id: string, more: Partial<Agent>): Agent => ({
    id,
    name: id,
    credentialId,
    instructions: 'Be brief.',
    pacing,
    sampling: { temperature: 0 },
    ...more,
  })
  return {
    name: 'Left or right',
    consent: { sendsTextToModels: true },
    matching: { groupSize: 2 },
    states: [
      {
        id: 'talk',
        components: [
          { id: 'chat', type: 'chat' },
          { id: 'mood', type: 'likert', required: false },
        ],
        end: { on: 'timed', afterMs: 3_600_000 },
      },
      {
        id: 'judge',
        components: [side, sure],
      },
    ],
    agents: [
      agent('robin', { seats: 1 }),
      agent('kim', { seats: 1 }),
      agent('host', { mediates: ['chat'], speaks: { on: 'every', messages: 2 } }),
    ],
  }
}

test('[R44] two bots, two agents and a mediator on a real engine play to the end', async () => {
  const api = createApi(server.http)
  const researcher = await createResearcher(api)
  const { token } = researcher
  const { baseUrl, apiKey, model } = serve.ready
  const credential = { name: 'llama.cpp', provider: 'Custom', baseUrl, apiKey, model, timeoutMs: 300_000 }
  const { credentialId } = succeeded(await api.call(credentialRoutes.create, { token, body: credential }))
  const experimentId = await researcher.openExperiment(studyWith(credentialId))
  const as = { token, params: { experimentId } }
  const exported = async () =>
    linesOf((await api.call(experimentRoutes.export, { ...as, query: {} })).text) as ExportedEvent[]

  const playing = simulate({
    baseUrl: server.http,
    experimentId,
    participants: 2,
    seed: '1',
    speed: 60,
    dropOutChance: 0,
    staggerMs: 0,
  })
  let roomId = ''
  const hasHostSpoken = async () => {
    const said = (await exported()).find(({ type, agent }) => type === 'chat_message' && agent === 'host')
    roomId = said?.roomId ?? ''
    return said !== undefined || 'the host has not spoken'
  }
  await waitUntil(hasHostSpoken, { timeoutMs: 120_000, everyMs: 500 })
  succeeded(await api.call(roomRoutes.advance, { token, params: { roomId } }))

  const { findings } = await playing
  expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([])
  const seated = await api.call(roomRoutes.participants, { token, params: { roomId } })
  expect(succeeded(seated).participants.map(({ agent, outcome }) => [agent?.agentId, outcome])).toEqual([
    [undefined, 'SUCCESS'],
    [undefined, 'SUCCESS'],
    ['robin', 'SUCCESS'],
    ['kim', 'SUCCESS'],
  ])

  const lines = await exported()
  for (const agentId of ['robin', 'kim']) {
    const own = lines.filter(({ agent }) => agent === agentId)
    const answer = (componentId: string) =>
      own.find((line) => line.type === 'component_response' && line.componentId === componentId)?.data.value
    expect(answer('side')).toMatch(/^(left|right)$/)
    expect(answer('sure')).toSatisfy((value) => Number.isInteger(value) && value >= 0 && value <= 10)
    expect(own.find(({ type }) => type === 'chat_message')?.data.text).toBe('hi')
  }

  const turns = linesOf((await api.call(agentTurnRoutes.export, as)).text) as AgentTurnRecord[]
  // Others may be late, because the researcher has gone on, or too slow on a busy machine: neither is the model's fault.
  const applied = turns.filter(({ outcome }) => outcome === 'applied')
  expect(new Set(applied.map(({ agentId }) => agentId))).toEqual(new Set(['robin', 'kim', 'host']))
  expect(applied.every(({ usage }) => (usage?.promptTokens ?? 0) > 1_000)).toBe(true)
  expect(JSON.stringify(turns)).not.toContain(apiKey)
})
