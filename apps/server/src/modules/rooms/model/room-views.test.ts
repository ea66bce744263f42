import { RoomEvent, RoomSnapshot } from '@atrium/contract'
import { createShown } from '@atrium/expressions'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { reduceRoom } from '../rules/reduce-room.ts'
import { heardOf } from '../test/hearing.ts'
import { fittingAnswer, whisperTo } from '../test/random-actions.ts'
import { answerable, decidedByValues, onlyFor, randomRoles, secretMark } from '../test/random-definition.ts'
import { createPlays, type Played, type Scenario, scenario } from '../test/random-room.ts'
import { isOpen, type RoomState } from './room-state.ts'
import { snapshotFor } from './view.ts'

const snapshots = Compile(RoomSnapshot)
const events = Compile(RoomEvent)

const play = createPlays()

/** Everything this participant may receive: their events, and a snapshot after every step. */
function received({ blueprint, steps }: Played, participantId: string) {
  return steps.map(({ at, room, emitted }, index) => ({
    snapshot: snapshotFor(room, blueprint, participantId, at),
    events: heardOf(emitted, { before: steps[index - 1]?.room ?? room, after: room }, participantId),
  }))
}

function forEveryone(check: (person: Scenario['members'][number], texts: string, given: Scenario) => void) {
  fc.assert(
    fc.property(scenario, (given) => {
      const played = play(given)
      for (const member of given.members)
        check(member, JSON.stringify(received(played, member.participantId)), given)
    }),
    { numRuns: 200 },
  )
}

/** Of conditions that read values which the same snapshot holds. */
function expectMet({ state, self, variables }: RoomSnapshot, { definition }: Scenario): void {
  const written = definition.states.find(({ id }) => id === state?.id)?.components ?? []
  for (const { id } of state?.components ?? []) {
    const isMet = decidedByValues[written.find((one) => one.id === id)?.when ?? '']
    if (isMet) expect(isMet(Number(variables.score), Number(self.variables.own)), id).toBe(true)
  }
}

describe('What participants receive, for any actions', () => {
  it('[R26] is what the contract says', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const played = play(given, true)
        for (const { participantId } of given.members)
          for (const one of received(played, participantId)) {
            expect(snapshots.Errors(one.snapshot)).toEqual([])
            for (const event of one.events) expect(events.Errors(event)).toEqual([])
          }
      }),
      { numRuns: 100 },
    )
  })

  it('[RM5] carries no answer key', () => {
    forEveryone((_member, texts) => expect(texts).not.toContain('"correct"'))
  })

  it('[R53,RM16,RM17] shows no state and no component of another role', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const played = play(given)
        for (const { participantId } of given.members)
          for (const [index, { snapshot, events }] of received(played, participantId).entries()) {
            // Where roles rotate, they may have had several within one action.
            const had = (played.steps[index]?.records ?? []).flatMap((one) =>
              one.participantId === participantId && one.type === 'role_assigned' ? [one.data.role] : [],
            )
            for (const other of randomRoles.filter((one) => one !== snapshot.self.role)) {
              expect(JSON.stringify(snapshot)).not.toContain(onlyFor(other))
              if (!had.includes(other)) expect(JSON.stringify(events)).not.toContain(onlyFor(other))
            }
          }
      }),
      { numRuns: 200 },
    )
  })

  it('[R43,RM123] does not say who is an agent, where agents are hidden', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const definition = { ...given.definition, disclosure: { agents: 'hidden' as const } }
        const played = play({ ...given, definition })
        for (const { participantId } of given.members)
          expect(JSON.stringify(received(played, participantId))).not.toMatch(/agent/i)
      }),
      { numRuns: 100 },
    )
  })

  it('[RM24] holds no secret variable', () => {
    forEveryone((_member, texts) => expect(texts).not.toContain(`${secretMark}-s`))
    forEveryone((_member, texts) => expect(texts).not.toContain(`${secretMark}-0`))
  })

  it('[RM37] holds no announcement for somebody else', () => {
    let heard = 0
    forEveryone(({ participantId }, texts, { members }) => {
      if (texts.includes(whisperTo(participantId))) heard++
      for (const other of members)
        if (other.participantId !== participantId) expect(texts).not.toContain(whisperTo(other.participantId))
    })
    // Those whom they were for received some.
    expect(heard).toBeGreaterThan(0)
  })

  it('[RM194] shows nothing whose condition is not met, and the room takes answers to what the page shows alone', () => {
    const outcomes = new Map<string, number>()
    fc.assert(
      fc.property(scenario, (given) => {
        const { blueprint, steps, room } = play(given)
        for (const { participantId } of given.members)
          for (const { at, room } of steps) expectMet(snapshotFor(room, blueprint, participantId, at), given)
        const now = steps.at(-1)?.at ?? 0
        for (const { participantId } of given.members) {
          const { state, globalComponents, self } = snapshotFor(room, blueprint, participantId, now)
          const components = [...(state?.components ?? []), ...globalComponents]
          const { isShown } = createShown(components, (id) => self.responses[id])
          for (const componentId of answerable) {
            const value = fittingAnswer(componentId)
            const action = {
              type: 'submit_response',
              participantId,
              actionId: 'new',
              componentId,
              value,
            } as const
            const reduction = reduceRoom(room, action, now, blueprint)
            const outcome = reduction.kind === 'refused' ? reduction.refusal.code : reduction.kind
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
            if (outcome === 'applied') expect(isShown(componentId), `${componentId} was taken`).toBe(true)
            if (outcome === 'NOT_SHOWN')
              expect(isShown(componentId), `${componentId} was refused`).toBe(false)
          }
        }
      }),
      { numRuns: 200 },
    )
    expect(outcomes.get('applied')).toBeGreaterThan(20)
    expect(outcomes.get('NOT_SHOWN')).toBeGreaterThan(20)
  })

  it('[RM98] holds nothing that others did after the participant was done', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { blueprint, steps } = play(given)
        for (const { participantId } of given.members) {
          const isOut = ({ seats }: RoomState) =>
            seats.some((seat) => seat.participantId === participantId && !isOpen(seat))
          const seen = steps
            .filter(({ room }) => isOut(room))
            .map(({ room }) => {
              const { seq: _, status: __, self, ...rest } = snapshotFor(room, blueprint, participantId, 0)
              // Their answers in the visit that was theirs are forgotten with it.
              return JSON.stringify({ ...rest, variables: [self.variables, rest.variables] })
            })
          expect(new Set(seen).size).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('[RM34] holds no message of a chat that the role does not see', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const played = play(given)
        const { states, globalComponents = [] } = given.definition
        const hidden = (role: string) =>
          [...states.flatMap(({ components }) => components), ...globalComponents].flatMap(({ id, roles }) =>
            roles && !roles.includes(role) ? [id] : [],
          )
        for (const { participantId, role } of given.members)
          for (const { snapshot, events } of received(played, participantId)) {
            const messages = events.flatMap((event) => (event.type === 'message' ? [event.message] : []))
            for (const { componentId } of [...snapshot.messages, ...messages])
              expect(hidden(role)).not.toContain(componentId)
          }
      }),
      { numRuns: 200 },
    )
  })
})
