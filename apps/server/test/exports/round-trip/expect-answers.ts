import { type BotLog, eventsOf, participantIdOf, takenFrom } from '@atrium/bots'
import { variableOf } from '@atrium/contract'
import { payoffVariablesOf } from '@atrium/contract/components'
import { expect } from 'vitest'
import type { Cells } from './cells.ts'
import type { SimulatedStudy } from './simulated-study.ts'
import type { Tables } from './typed-rows.ts'

/** Compares what the tables say with what the bots did, cell by cell. */
export function expectAnswers(tables: Tables, { logs }: SimulatedStudy): void {
  const people = tables.participants.filter(({ agent }) => agent === null)
  expect(people.map(({ participant_id }) => participant_id).toSorted()).toEqual(
    logs.map((log) => participantIdOf(log)).toSorted(),
  )
  expect(logs.flatMap((log) => takenFrom(log, 'submit_response')).length).toBeGreaterThan(0)
  for (const log of logs) {
    const ofBot = (rows: readonly Cells[]) =>
      rows
        .filter(({ participant_id }) => participant_id === participantIdOf(log))
        .toSorted((one, other) => Number(one.seq) - Number(other.seq))
    const [row = {}] = ofBot(people)
    expectEnd(row, log)
    expectAnswersIn(row, tables.codebook, log)
    const [payment = {}] = ofBot(tables.payments)
    for (const name of ['room_id', 'condition', 'role', 'alias', 'outcome', 'completion_code'])
      expect(payment[name]).toBe(row[name])
    expect(
      ofBot(tables.responses).map(({ state_id, round, component_id, value }) => ({
        stateId: state_id,
        round,
        componentId: component_id,
        content: value,
      })),
    ).toEqual(takenFrom(log, 'submit_response'))
    for (const { value, value_number, value_text } of ofBot(tables.responses))
      expect([value_number, value_text]).toEqual([
        typeof value === 'number' ? value : null,
        typeof value === 'string' ? value : null,
      ])
    // A message may arrive in a later state than it was written in.
    expect(ofBot(tables.messages).map(({ component_id, text }) => [component_id, text])).toEqual(
      takenFrom(log, 'send_message').map(({ componentId, content }) => [componentId, content]),
    )
    const visited = ofBot(tables.states).map(({ state_id, round, visit }) => [state_id, round, visit])
    for (const { stateId, round, visit } of eventsOf(log, 'entered'))
      expect(visited).toContainEqual([stateId, round, visit])
  }
}

function expectEnd(row: Cells, log: BotLog): void {
  const [completed] = eventsOf(log, 'completed')
  if (!completed) throw new Error(`${log.subject} has not completed`)
  expect(row).toMatchObject({ outcome: completed.outcome, completion_code: completed.completionCode })
}

/** Every column of an answer: the last one, or nothing where the bot was not asked or said nothing. */
function expectAnswersIn(row: Cells, codebook: readonly Cells[], log: BotLog): void {
  const given = takenFrom(log, 'submit_response')
  const columns = codebook.filter(
    ({ table, component_id }) => table === 'participants' && component_id !== null,
  )
  for (const { variable, state_id, component_id, round } of columns) {
    const last = given.findLast(
      (said) =>
        said.stateId === state_id &&
        said.componentId === component_id &&
        (round === null || said.round === round),
    )
    expect({ [String(variable)]: row[String(variable)] }).toEqual({
      [String(variable)]: last?.content ?? null,
    })
  }
  const known = new Set(columns.map(({ state_id, component_id }) => `${state_id} ${component_id}`))
  for (const { stateId, componentId } of given) expect(known).toContain(`${stateId} ${componentId}`)
}

/** Compares variables and payoffs with what the rooms still know, agents included. Rooms store no computed variables. */
export function expectVariables(tables: Tables, { definition, seats }: SimulatedStudy): void {
  for (const row of tables.participants) {
    const seat = seats.get(String(row.participant_id))
    if (!seat) throw new Error(`no room knows ${row.participant_id}`)
    for (const [name, written] of Object.entries(definition.variables ?? {})) {
      if (typeof written === 'object' && written !== null && 'compute' in written) continue
      const values = variableOf(written).scope === 'participant' ? seat.variables : seat.ofRoom
      expect({ [name]: row[`var_${name}`] }).toEqual({ [name]: values[name] ?? null })
    }
    for (const name of payoffVariablesOf(definition))
      expect(row[`payoff_${name}`]).toEqual(seat.variables[name] ?? null)
  }
}

/** The payoffs of the public goods game, from the rows of the participants alone. */
export function expectPublicGoodsPayoffs(tables: Tables, { seats }: SimulatedStudy): void {
  const groups = [...Map.groupBy(tables.participants, ({ room_id }) => room_id).values()]
  expect(groups.length).toBeGreaterThan(0)
  for (const group of groups) {
    const factor = group[0]?.condition === 'high' ? 2.4 : 1.6
    const rounds = [1, 2, 3, 4, 5].map((round) => `contribute__contribution__r${round}`)
    const pots = rounds.map((column) => group.reduce((sum, row) => sum + Number(row[column]), 0))
    for (const row of group) {
      const earned = rounds.map(
        (column, round) => 20 - Number(row[column]) + ((pots[round] ?? Number.NaN) * factor) / group.length,
      )
      const points = earned.reduce((sum, one) => sum + one, 0)
      expect(row.payoff_points).toBe(seats.get(String(row.participant_id))?.variables.points)
      expect(Number(row.payoff_points)).toBeCloseTo(points, 9)
    }
  }
}
