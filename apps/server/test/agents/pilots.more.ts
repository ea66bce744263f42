import {
  type Agent,
  type AgentTurnRecord,
  agentFigureRoutes,
  agentTurnRoutes,
  type ExperimentDefinition,
  type ExportedEvent,
  experimentRoutes,
  type PilotSummary,
  pilotRoutes,
  roomRoutes,
} from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  describeInOneMode,
  linesOf,
  smallestDefinition,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, it } from 'vitest'
import { readRows } from '../rooms/rows.ts'

const quick = { thinkMs: 0, thinkSpreadMs: 0, charactersPerSecond: 10_000, lullMs: 1_000 }
const scripted = (more: Partial<Agent> & { id: string }): Agent => ({
  name: more.id,
  provider: 'Scripted',
  instructions: '',
  pacing: quick,
  ...more,
})

/** Two people, an agent of the study and a mediator; one state with a chat and one with a question. */
const study: ExperimentDefinition = {
  name: 'Bargaining',
  roles: [
    { id: 'buyer', min: 1 },
    { id: 'seller', min: 1 },
  ],
  states: [
    {
      id: 'talk',
      components: [{ id: 'chat', type: 'chat' }],
      end: { on: 'button' },
    },
    {
      id: 'price',
      components: [{ id: 'offer', type: 'slider' }],
      end: { on: 'all_responded', afterMs: 600_000 },
    },
  ],
  matching: { groupSize: 2 },
  agents: [
    scripted({ id: 'judge', role: 'seller', seats: 1, script: [{ answers: { offer: 7 } }] }),
    scripted({
      id: 'host',
      mediates: ['chat'],
      speaks: { on: 'every', messages: 1 },
      script: [{ say: ['Hello.'] }],
    }),
  ],
}

describeInOneMode(
  'Pilots',
  (world) => {
    const api = createApi(() => world().front().http)

    async function open(definition = study) {
      const researcher = await createResearcher(api)
      const { token } = researcher
      const { experimentId } = succeeded(await api.call(experimentRoutes.create, { token, body: definition }))
      const as = { token, params: { experimentId } }
      const lines = async (query: Record<string, string> = {}) =>
        linesOf((await api.call(experimentRoutes.export, { ...as, query })).text) as ExportedEvent[]
      const turns = async (query: Record<string, string> = {}) =>
        linesOf((await api.call(agentTurnRoutes.export, { ...as, query })).text) as AgentTurnRecord[]
      const newest = async (): Promise<PilotSummary | undefined> =>
        succeeded(await api.call(pilotRoutes.list, as)).pilots[0]
      const ended = async (): Promise<PilotSummary | undefined> => {
        await waitUntil(async () => {
          const pilot = await newest()
          return (
            pilot?.progress.ended === pilot?.rooms.length || `not yet: ${JSON.stringify(pilot?.progress)}`
          )
        })
        return await newest()
      }
      return { researcher, token, experimentId, as, lines, turns, ended }
    }

    it('[R43] plays whole rooms with agents in every seat; the data is synthetic and in no export of people', async () => {
      const { researcher, token, experimentId, as, lines, turns, ended } = await open()
      const agents = [
        scripted({ id: 'ann', script: [{ say: ['I offer five.'], answers: { offer: 5 } }] }),
        scripted({ id: 'sam', role: 'seller', script: [{ say: ['Deal.'] }] }),
      ]
      const body = { rooms: 3, agents, budget: { turns: 3_000 } }
      const { roomIds } = succeeded(await api.call(pilotRoutes.create, { ...as, body }))
      expect(new Set(roomIds).size).toBe(3)
      const pilot = await ended()
      expect(pilot).toMatchObject({ revision: 1, agentsPerRoom: 4, budget: body.budget })
      expect(pilot?.rooms.map(({ roomId }) => roomId)).toEqual(roomIds)

      const [roomId = ''] = roomIds
      const ofRoom = { token, params: { roomId } }
      const { participants } = succeeded(await api.call(roomRoutes.participants, ofRoom))
      expect(participants.map(({ role, agent }) => [role, agent?.agentId])).toEqual([
        ['seller', 'judge'],
        ['buyer', 'ann'],
        ['seller', 'sam'],
      ])
      for (const { agent, outcome } of participants) {
        expect(outcome).toBe('SUCCESS')
        expect(agent).toMatchObject({
          pending: null,
          used: { calls: expect.any(Number), tokens: 0, money: 0 },
        })
      }
      const report = succeeded(await api.call(roomRoutes.state, ofRoom))
      expect(report).toMatchObject({
        synthetic: true,
        status: 'ended',
        mediators: [{ agent: { name: 'host' } }],
      })

      expect(await lines()).toEqual([])
      expect(await turns()).toEqual([])
      const synthetic = await lines({ synthetic: 'true' })
      expect(synthetic.every((line) => line.synthetic && line.agent !== null)).toBe(true)
      const offers = synthetic.filter(({ type }) => type === 'component_response')
      expect(offers.filter(({ agent }) => agent === 'ann').map(({ data }) => data.value)).toEqual([5, 5, 5])
      const asked = await turns({ synthetic: 'true' })
      expect(new Set(asked.map((turn) => turn.roomId))).toEqual(new Set(roomIds))
      expect(asked.every((turn) => turn.synthetic)).toBe(true)
      // Whoever is asked whether they want to say more may find that the others have moved on: `refused`.
      const applied = asked.filter(({ outcome }) => outcome === 'applied')
      expect(asked.filter((turn) => !applied.includes(turn) && turn.outcome !== 'refused')).toEqual([])
      for (const room of roomIds) {
        const played = applied.filter((turn) => turn.roomId === room).map(({ agentId }) => agentId)
        expect(played).toEqual(expect.arrayContaining(['judge', 'ann', 'sam']))
      }
      const inRoom = await turns({ synthetic: 'true', roomId })
      expect(inRoom.length).toBeLessThan(asked.length)

      const first = succeeded(await api.call(agentTurnRoutes.ofRoom, { ...ofRoom, query: { limit: '2' } }))
      const rest = succeeded(
        await api.call(agentTurnRoutes.ofRoom, {
          ...ofRoom,
          query: { before: first.next ?? '', limit: '100' },
        }),
      )
      expect([...first.turns, ...rest.turns].map(({ callId }) => callId)).toEqual(
        inRoom.map(({ callId }) => callId).toReversed(),
      )

      const figures = succeeded(
        await api.call(agentFigureRoutes.ofExperiment, { ...as, query: { synthetic: 'true' } }),
      )
      expect(figures.agents.map(({ agentId }) => agentId)).toEqual(['judge', 'host', 'ann', 'sam'])
      expect(figures.agents.reduce((sum, { calls }) => sum + calls, 0)).toBe(asked.length)
      const ofPeople = succeeded(await api.call(agentFigureRoutes.ofExperiment, as))
      expect(ofPeople.agents.map(({ agentId, calls }) => [agentId, calls])).toEqual([
        ['judge', 0],
        ['host', 0],
      ])

      const { rooms } = succeeded(await api.call(roomRoutes.list, as))
      expect(rooms.map((room) => [room.synthetic, room.participants, room.agents])).toEqual(
        roomIds.map(() => [true, 0, 3]),
      )
      const monitor = succeeded(await api.call(experimentRoutes.monitor, as))
      expect(monitor).toMatchObject({ participants: { total: 0, active: 0 }, openRooms: 0, events: 0 })
      // A person who comes later gets the first place, as if there had been no pilot.
      await researcher.setStatus(experimentId, 'recruiting')
      await (await createPerson(api)).join(experimentId)
      expect(
        await readRows(world(), `select action from audit_log where subject = '${experimentId}'`),
      ).toEqual(expect.arrayContaining([{ action: 'pilot_created' }, { action: 'agent_turns_exported' }]))
    })

    it('[R43] a researcher asks a mediator to speak, and removes an agent', async () => {
      const [talk, ...later] = study.states
      const host = { ...study.agents?.[1], speaks: { on: 'demand' } } as Agent
      const { as, token, lines, ended } = await open({
        ...study,
        states: [
          {
            ...talk,
            id: 'talk',
            components: talk?.components ?? [],
            end: { on: 'timed', afterMs: 3_600_000 },
          },
          ...later,
        ],
        agents: [host],
      })
      const { roomIds } = succeeded(await api.call(pilotRoutes.create, { ...as, body: { rooms: 1 } }))
      const [roomId = ''] = roomIds
      const ofRoom = { token, params: { roomId } }
      await waitUntil(
        async () => succeeded(await api.call(roomRoutes.state, ofRoom)).stateId === 'talk' || 'not open yet',
      )
      const { mediators } = succeeded(await api.call(roomRoutes.state, ofRoom))
      const participantId = mediators[0]?.participantId ?? ''
      const prompt = (id: string) =>
        api.call(roomRoutes.prompt, { token, params: { roomId, participantId: id } })
      expect(succeeded(await prompt(participantId))).toMatchObject({ ok: true })
      await waitUntil(async () => {
        const spoken = (await lines({ synthetic: 'true' })).filter(({ agent }) => agent === 'host')
        return spoken.some(({ type, role }) => type === 'chat_message' && role === null) || 'not a word yet'
      })
      expect(codeOf(await prompt(`agent_${roomId}_99`))).toBe('NOT_FOUND')
      const { participants } = succeeded(await api.call(roomRoutes.participants, ofRoom))
      const [leaving] = participants
      const removal = { token, params: { roomId, participantId: leaving?.participantId ?? '' }, body: {} }
      succeeded(await api.call(roomRoutes.remove, removal))
      succeeded(await api.call(roomRoutes.end, { ...ofRoom, body: {} }))
      expect(await ended()).toMatchObject({ rooms: [{ endReason: 'ended_by_researcher' }] })
    })

    it('[R43] without personas, the study’s own agents and stand-ins play', async () => {
      const { as, lines, ended } = await open(
        smallestDefinition({
          states: [{ id: 's1', components: [{ id: 'c1', type: 'slider' }] }],
          conditions: { values: ['a', 'b'], assign: 'balanced' },
        }),
      )
      succeeded(await api.call(pilotRoutes.create, { ...as, body: { rooms: 2 } }))
      await ended()
      const played = await lines({ synthetic: 'true' })
      expect(new Set(played.map(({ agent }) => agent))).toEqual(new Set(['stand_in']))
      expect(new Set(played.map(({ condition }) => condition))).toEqual(new Set(['a', 'b']))
      expect(played.filter(({ type }) => type === 'component_response').length).toBe(2)
    })

    it('[R43,AP2] refuses what it could not play, with the paths', async () => {
      // Pilots do not count towards the budget of the study, so their personas need no price because of it.
      const { as } = await open({ ...study, agentBudget: { money: 1 } })
      const refused = async (body: object) => {
        const answer = await api.call(pilotRoutes.create, { ...as, body })
        expect(codeOf(answer)).toBe('VALIDATION_FAILED')
        const { details } = answer.body as unknown as { details: { issues: { path: string }[] } }
        return details.issues.map(({ path }) => path)
      }
      expect(await refused({ rooms: 51 })).toEqual(['/rooms'])
      expect(await refused({ rooms: 50, budget: { turns: 100 } })).toEqual(['/budget/turns'])
      const { provider: _, ...withModel } = scripted({ id: 'ann', credentialId: 'cred_of_nobody' })
      expect(await refused({ rooms: 1, agents: [withModel] })).toEqual(['/agents/0/credentialId'])
      expect(await refused({ rooms: 1, agents: [withModel], budget: { money: 1 } })).toEqual([
        '/budget/money',
      ])
      expect(await refused({ rooms: 1, agents: [scripted({ id: 'x', role: 'king' })] })).toEqual([
        '/agents/0/role',
      ])
      expect(succeeded(await api.call(pilotRoutes.list, as))).toEqual({ pilots: [], next: null })
    })
  },
  { router: true },
)
