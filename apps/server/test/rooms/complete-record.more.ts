import { type Simulation, simulate, speedUp } from '@atrium/bots'
import type { ExperimentDefinition } from '@atrium/contract'
import { createApi, createResearcher, describeInOneMode, type ExportedLine } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { example } from './examples.ts'

const speed = 20
/** Everyone responds in each round, even on a busy machine: there are no deadlines, and nobody is left behind. */
const patientlyPlayed = (definition: ExperimentDefinition): ExperimentDefinition => ({
  ...definition,
  dropout: { policy: 'wait', graceMs: 600_000 },
  states: definition.states.map((state) => {
    const { end } = state
    if (end?.on !== 'all_responded' && end?.on !== 'button') return state
    const { afterMs: _latest, ...patient } = end
    return { ...state, end: patient }
  }),
})

const factors: Record<string, number> = { low: 1.6, high: 2.4 }
const endowment = 20

interface Change {
  variable: string
  value: number
  cause: string
}
const changesIn = ({ data }: ExportedLine): Change[] => data.changes as Change[]

/** Reads nothing but the lines of the export. */
function createReader(lines: readonly ExportedLine[]) {
  const ofRoom = lines.filter(({ origin }) => origin === 'room')
  const rooms = Map.groupBy(ofRoom, ({ roomId }) => roomId ?? '')
  const contributions = (roomId: string, round: number) =>
    (rooms.get(roomId) ?? []).filter(
      (line) => line.type === 'component_response' && line.stateId === 'contribute' && line.round === round,
    )
  /** The values of a variable in chronological order. */
  const history = (roomId: string, variable: string, participantId: string | null) =>
    (rooms.get(roomId) ?? [])
      .filter((line) => line.type === 'variables_changed')
      .filter((line) =>
        participantId === null
          ? line.data.scope === 'room'
          : line.data.scope === 'participant' && line.participantId === participantId,
      )
      .sort((one, other) => (one.roomSeq ?? 0) - (other.roomSeq ?? 0))
      .flatMap((line) =>
        changesIn(line)
          .filter((change) => change.variable === variable)
          .map(({ value, cause }) => ({ value, cause, round: line.round, stateId: line.stateId })),
      )
  return { rooms, contributions, history }
}

const near = (value: number) => expect.closeTo(value, 6)

describeInOneMode(
  'The record of a public goods game',
  (world) => {
    async function play(): Promise<Simulation & { experimentId: string; lines: ExportedLine[] }> {
      const baseUrl = world().front().http
      const researcher = await createResearcher(createApi(baseUrl))
      const definition = patientlyPlayed(speedUp(example('public-goods'), speed))
      const experimentId = await researcher.openExperiment(definition)
      const simulation = await simulate({
        baseUrl,
        experimentId,
        participants: 8,
        seed: '11',
        speed,
        dropOutChance: 0,
        staggerMs: 10,
      })
      return { ...simulation, experimentId, lines: await researcher.exported(experimentId) }
    }

    it('[R54,E17] the export alone shows who was where, the history of every variable, and each payoff', async () => {
      const { lines, rooms: reports } = await play()
      const { rooms, contributions, history } = createReader(lines)

      // Who was in which room, role and condition: on every row, and as events of the room.
      expect(rooms.size).toBe(2)
      for (const { report, seats } of reports) {
        const rows = rooms.get(report.roomId) ?? []
        const people = Map.groupBy(rows, ({ participantId }) => participantId)
        expect([...people.keys()].sort()).toEqual(seats.map(({ participantId }) => participantId).sort())
        const aliases = [...people.values()].map((own) => [...new Set(own.map(({ alias }) => alias))].join())
        expect(aliases.sort()).toEqual(['P1', 'P2', 'P3', 'P4'])
        expect(new Set(rows.map(({ role }) => role))).toEqual(new Set(['participant']))
        const assigned = rows.filter(({ type }) => type === 'condition_assigned')
        expect(assigned).toHaveLength(4)
        expect(new Set(rows.map(({ condition }) => condition))).toEqual(
          new Set(assigned.map(({ data }) => data.condition)),
        )
      }
      const conditions = [...rooms.values()].map((rows) => rows[0]?.condition ?? '')
      expect(conditions.sort()).toEqual(['high', 'low'])

      for (const [roomId, rows] of rooms) {
        const factor = factors[rows[0]?.condition ?? ''] ?? 0
        expect(history(roomId, 'factor', null)).toMatchObject([{ value: factor, cause: 'compute' }])
        const people = [...new Set(rows.map(({ participantId }) => participantId))]
        const pots: number[] = []
        const points = new Map(people.map((id) => [id, [0]]))
        for (let round = 1; round <= 5; round++) {
          const given = new Map(
            contributions(roomId, round).map((line) => [line.participantId, Number(line.data.value)]),
          )
          expect([...given.keys()].sort()).toEqual(people.toSorted())
          const pot = [...given.values()].reduce((sum, value) => sum + value, 0)
          pots.push(pot)
          for (const id of people) {
            const earned = endowment - (given.get(id) ?? 0) + (pot * factor) / 4
            const own = points.get(id) ?? []
            own.push((own.at(-1) ?? 0) + earned)
          }
        }
        // An unchanged pot is not recorded as a change.
        const changed = [0, ...pots].filter((pot, index, all) => index === 0 || pot !== all[index - 1])
        expect(history(roomId, 'pot', null).map(({ value }) => value)).toEqual(changed)
        for (const id of people) {
          const expected = points.get(id) ?? []
          expect(history(roomId, 'points', id)).toEqual(
            expected.map((value, round) => ({
              value: near(value),
              ...(round === 0
                ? { cause: 'initial', round: null, stateId: null }
                : { cause: 'onEnd', round, stateId: 'contribute' }),
            })),
          )
          const payoffs = rows.filter((line) => line.type === 'payoff' && line.participantId === id)
          expect(payoffs.map(({ data }) => data)).toEqual([
            { variable: 'points', value: near(expected.at(-1) ?? 0) },
          ])
        }
      }
    })
  },
  { router: true, env: { MAX_ROOMS_PER_POD: '1000', MAX_PARTICIPANTS_PER_POD: '1000' } },
)
